import type { ReactNode } from 'react';
import styles from './save-bar.module.css';

export interface SaveBarProps {
  /** Whether there is something to save: the bar stays in view, with its buttons. */
  changed: boolean;
  /** Unsaved or missing input, announced as it changes. */
  status: string;
  /** Content at the start of the bar, always shown. */
  start?: ReactNode;
  children: ReactNode;
}

/** The end of an editor. */
export function SaveBar({ changed, status, start, children }: SaveBarProps) {
  return (
    <div className={styles.bar} data-changed={changed || undefined}>
      {start}
      <span className={styles.status} role="status">
        {status}
      </span>
      {changed ? <div className={styles.buttons}>{children}</div> : null}
    </div>
  );
}
