import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { iconOfState, type State, toneOfState } from './state.ts';

/** A state in a row: icon and word on a soft ground. */
export function StateBadge({ state, children }: { state: State; children: ReactNode }) {
  const Icon = iconOfState[state];
  return (
    <span className={styles.badge} data-tone={toneOfState[state]}>
      <Icon size={13} stroke={2.2} aria-hidden />
      {children}
    </span>
  );
}

/** A quiet label such as "Primary"; says what something is, not how it is doing. */
export function Tag({ children }: { children: ReactNode }) {
  return <span className={styles.tag}>{children}</span>;
}
