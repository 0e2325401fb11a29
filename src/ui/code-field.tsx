import { TextInput, type TextInputProps } from '@mantine/core';
import styles from './code-field.module.css';
import { fieldClasses } from './text-field.tsx';

export interface CodeFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onChange: (value: string) => void;
  /** All figures are there, typed or pasted. */
  onComplete: (value: string) => void;
  length?: number;
}

/**
 * A short code of figures in one field, which password managers, phones and readers know how to fill. Whatever is between
 * the figures of a pasted code is left out.
 */
export function CodeField({ value, onChange, onComplete, length = 6, ...rest }: CodeFieldProps) {
  return (
    <TextInput
      {...rest}
      classNames={{ ...fieldClasses, input: `${fieldClasses.input} ${styles.input}` }}
      data-page-focus
      pattern={`[0-9]{${length}}`}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => {
        const figures = event.currentTarget.value.replaceAll(/\D/g, '').slice(0, length);
        if (figures === value) return;
        onChange(figures);
        if (figures.length === length) onComplete(figures);
      }}
    />
  );
}
