import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { fieldClasses } from './text-field.tsx';

/**
 * A password field. The library marks only the frame of a refused password as invalid, but screen readers announce the
 * input. Keyboard users can show the password, too.
 */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      classNames={fieldClasses}
      visibilityToggleFocusable
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  );
}
