import { IconSelector } from '@tabler/icons-react';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './plain-field.module.css';

/**
 * The platform's own fields in the looks of `TextField` and `SelectField`, for what a first visit shows: a tenth of the
 * library's weight. They have no label, description or error of their own.
 */

export interface PlainSelectProps extends ComponentPropsWithRef<'select'> {
  data: readonly { value: string; label: string }[];
}

export function PlainSelect({ data, className = '', ...rest }: PlainSelectProps) {
  return (
    <span className={`${styles.wrap} ${className}`}>
      <select {...rest} className={styles.field} data-select>
        {data.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <span className={styles.end}>
        <IconSelector size={15} stroke={1.8} aria-hidden />
      </span>
    </span>
  );
}

export interface PlainFieldProps extends ComponentPropsWithRef<'input'> {
  /** Before what is typed. */
  icon?: ReactNode;
  /** A button at its end, which places itself. */
  end?: ReactNode;
  inputClass?: string | undefined;
}

/** One line of text. */
export function PlainField({ icon, end, className = '', inputClass = '', ...rest }: PlainFieldProps) {
  return (
    <span className={`${styles.wrap} ${className}`}>
      {icon ? <span className={styles.start}>{icon}</span> : null}
      <input
        {...rest}
        className={`${styles.field} ${inputClass}`}
        data-icon={icon ? true : undefined}
        data-end={end ? true : undefined}
      />
      {end}
    </span>
  );
}
