import { useState } from 'react';
import { TextField } from '#ui/text-field.tsx';
import styles from '../routing.module.css';

/** Several words with commas between them. Text stays unchanged while it is typed. */
export function WordsField({
  label,
  showsLabel = false,
  placeholder,
  value,
  error,
  onChange,
}: {
  label: string;
  showsLabel?: boolean;
  placeholder: string;
  value: readonly string[];
  error: string | undefined;
  onChange: (words: string[]) => void;
}) {
  const [typed, setTyped] = useState(value.join(', '));
  return (
    <TextField
      className={styles.whole}
      {...(showsLabel ? { label } : { 'aria-label': label })}
      placeholder={placeholder}
      value={typed}
      error={error}
      onChange={(event) => {
        const { value: next } = event.currentTarget;
        setTyped(next);
        onChange([...new Set(next.split(',').map((word) => word.trim()))].filter((word) => word !== ''));
      }}
    />
  );
}
