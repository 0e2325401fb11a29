import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { NativeSelect, TextInput } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import styles from './text-field.module.css';

/** Classes of every field. */
export const fieldClasses = {
  input: styles.input,
  label: styles.label,
  description: styles.description,
  error: styles.error,
};

export const TextField = TextInput.withProps({ classNames: fieldClasses });

/** The platform's own select: short lists, best on phones and for readers. */
export const SelectField = NativeSelect.withProps({
  classNames: fieldClasses,
  rightSection: <IconSelector size={15} stroke={1.8} aria-hidden />,
});
