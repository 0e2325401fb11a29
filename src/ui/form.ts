export { schemaResolver, useForm } from '@mantine/form';
