import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { NativeSelect, PasswordInput, type PasswordInputProps, TextInput } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import styles from './text-field.module.css';

const classNames = { input: styles.input, label: styles.label, description: styles.description, error: styles.error };

export const TextField = TextInput.withProps({ classNames });
/**
 * The library marks only the frame of a refused password as invalid; readers hear of the input itself. Whoever travels by
 * keyboard can show the password too.
 */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      classNames={classNames}
      visibilityToggleFocusable
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  );
}

/** The platform's own select: short lists, best on phones and for readers. */
export const SelectField = NativeSelect.withProps({
  classNames,
  rightSection: <IconSelector size={15} stroke={1.8} aria-hidden />,
});
