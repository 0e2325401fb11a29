import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './banner.module.css';
import { iconOfState, type State, toneOfState } from './state.ts';

export interface BannerProps {
  state: State | 'info';
  title?: ReactNode;
  children?: ReactNode;
  /** Buttons or links at the end. */
  actions?: ReactNode;
  /** alert speaks at once, status when there is a pause; none for what was on the page from the start. */
  role?: 'alert' | 'status';
}

/** A notice inside the page. */
export function Banner({ state, title, children, actions, role }: BannerProps) {
  const Icon = state === 'info' ? IconInfoCircle : iconOfState[state];
  return (
    <div className={styles.banner} data-tone={state === 'info' ? 'info' : toneOfState[state]} role={role}>
      <Icon size={18} stroke={2} aria-hidden className={styles.icon} />
      <div className={styles.body}>
        {title ? <p className={styles.title}>{title}</p> : null}
        {children}
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}
