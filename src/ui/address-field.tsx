import { type ReactNode, useId } from 'react';
import styles from './address-field.module.css';
import { TextField } from './text-field.tsx';

export interface AddressFieldProps {
  label: string;
  /** Fixed prefix of the address, without `https://`. */
  base: string;
  value: string;
  longest: number;
  /** Error text of the address. */
  problem: ReactNode;
  /** Confirmation for a valid address, announced to screen readers. */
  note: string;
  required?: boolean;
  onChange: (value: string) => void;
}

/** The last part of an address, behind what stands before it. */
export function AddressField({ label, base, value, longest, problem, note, required, onChange }: AddressFieldProps) {
  const stateId = useId();
  return (
    <>
      <TextField
        className={styles.field}
        label={label}
        leftSection={<span className={styles.base}>{base}</span>}
        leftSectionWidth={`calc(${base.length * 0.74}ch + 18px)`}
        value={value}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={longest}
        error={problem}
        aria-describedby={stateId}
        {...(required ? { required } : {})}
        onChange={(event) => onChange(event.currentTarget.value.toLowerCase())}
      />
      <span id={stateId} className={styles.state} role="status">
        {note}
      </span>
    </>
  );
}
