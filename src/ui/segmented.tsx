import { useId } from 'react';
import styles from './segmented.module.css';

export interface SegmentedProps {
  /** `refusal`: why one cannot be chosen. */
  data: readonly { value: string; label: string; refusal?: string | undefined }[];
  value: string;
  onChange: (value: string) => void;
  size?: 'xs' | 'sm';
  fullWidth?: boolean;
  'aria-label'?: string;
  'aria-labelledby'?: string;
}

/** One of a few, all in view: the platform's own radio buttons, at a tenth of the library's weight. */
export function Segmented({ data, value, onChange, size = 'sm', fullWidth, ...rest }: SegmentedProps) {
  const name = useId();
  return (
    <div {...rest} role="radiogroup" className={styles.root} data-size={size} data-full={fullWidth || undefined}>
      {data.map((one) => (
        <label key={one.value} className={styles.label} title={one.refusal}>
          <input
            type="radio"
            name={name}
            className="hf-sr-only"
            checked={one.value === value}
            disabled={one.refusal !== undefined}
            onChange={() => onChange(one.value)}
          />
          {one.label}
        </label>
      ))}
    </div>
  );
}
