import type { TablerIcon } from '@tabler/icons-react';
import { useId } from 'react';
import styles from './kind-choice.module.css';

export interface KindChoiceProps<Kind extends string> {
  label: string;
  /** Each with what it is called, and in a line what it is for. */
  kinds: readonly { kind: Kind; Icon: TablerIcon; name: string; text: string }[];
  value: Kind | null;
  onChange: (kind: Kind) => void;
}

/** A choice of kinds, as cards. */
export function KindChoice<Kind extends string>({ label, kinds, value, onChange }: KindChoiceProps<Kind>) {
  const radio = useId();
  return (
    <fieldset className={styles.kinds} data-three={kinds.length === 3 || undefined}>
      <legend className={styles.legend}>{label}</legend>
      {kinds.map(({ kind, Icon, name, text }) => (
        <label key={kind} className={styles.kind}>
          <input
            type="radio"
            name={radio}
            className="hf-sr-only"
            checked={value === kind}
            onChange={() => onChange(kind)}
          />
          <Icon size={20} stroke={1.6} aria-hidden />
          <span className={styles.name}>{name}</span>
          <span className={styles.text}>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
