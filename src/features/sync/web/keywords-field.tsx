import { useState } from 'react';
import { TextField } from '#ui/text-field.tsx';

export interface KeywordsFieldProps {
  label: string;
  help: string;
  value: readonly string[];
  onChange: (words: string[]) => void;
}

/** Words separated by commas; what is typed stays as typed until the field is left. */
export function KeywordsField({ label, help, value, onChange }: KeywordsFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextField
      label={label}
      description={help}
      value={typed ?? value.join(', ')}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(wordsIn(event.currentTarget.value));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

function wordsIn(text: string): string[] {
  const words = text.split(',').map((word) => word.trim().slice(0, 100));
  return [...new Set(words.filter(Boolean))].slice(0, 50);
}
