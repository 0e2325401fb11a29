export { useForm } from '@mantine/form';
