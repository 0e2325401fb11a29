import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import styles from './text-field.module.css';

const classNames = { input: styles.input, label: styles.label, description: styles.description, error: styles.error };

export const TextField = TextInput.withProps({ classNames });
export const PasswordField = PasswordInput.withProps({ classNames });
export const TextArea = Textarea.withProps({ classNames, autosize: false });
/** The platform's own select: short lists, best on phones and for readers. */
export const SelectField = NativeSelect.withProps({ classNames });
