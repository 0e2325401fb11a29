import type { IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import styles from './security-row.module.css';

export interface SecurityRowProps {
  icon: ComponentType<IconProps>;
  title: ReactNode;
  /** A mark after the title: a state, a label. */
  mark?: ReactNode;
  text?: ReactNode;
  actions?: ReactNode;
  /** Too many buttons for a phone's line. */
  many?: boolean;
  /** The state of work in progress that needs no action. */
  note?: ReactNode;
  /** The problem of this row. */
  problem?: ReactNode;
}

/** One thing by which somebody comes in, or somewhere they are in: what it is, and what can be done about it. */
export function SecurityRow({ icon: Icon, title, mark, text, actions, many, note, problem }: SecurityRowProps) {
  return (
    <li className={styles.row} data-many={many || undefined}>
      <Icon size={20} stroke={1.6} aria-hidden className={styles.icon} />
      <div className={styles.what}>
        <p className={styles.title}>
          {title} {mark}
        </p>
        {text ? <p className={styles.text}>{text}</p> : null}
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
      {note ? <p className={styles.note}>{note}</p> : null}
      {problem ? (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      ) : null}
    </li>
  );
}

export function SecurityRows({ children }: { children: ReactNode }) {
  return <ul className={styles.rows}>{children}</ul>;
}
