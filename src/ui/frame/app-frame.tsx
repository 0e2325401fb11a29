import type { ReactNode } from 'react';
import styles from './app-frame.module.css';

export interface AppFrameProps {
  skipLabel: string;
  logo: ReactNode;
  header: ReactNode;
  /** The ways to sections: in a sidebar, as a rail its icons only, on a phone in a bar at the bottom. A place of one page has none. */
  nav?: { label: string; sidebar: ReactNode; bottomBar: ReactNode; isRail?: boolean };
  /** Above everything: offline, new version. */
  bar?: ReactNode;
  children: ReactNode;
}

export const MAIN_ID = 'main';

/** Sidebar, header and content; below 900 px the sidebar gives way to a bar at the bottom. */
export function AppFrame(props: AppFrameProps) {
  return (
    <div
      className={styles.frame}
      data-plain={props.nav === undefined || undefined}
      data-rail={props.nav?.isRail || undefined}
    >
      <a className={styles.skip} href={`#${MAIN_ID}`}>
        {props.skipLabel}
      </a>
      {props.nav ? (
        <nav className={styles.sidebar} aria-label={props.nav.label}>
          <div className={styles.logo}>{props.logo}</div>
          {props.nav.sidebar}
        </nav>
      ) : null}
      <div className={styles.column}>
        <header className={styles.header}>
          <div className={styles.headerLogo}>{props.logo}</div>
          {props.header}
        </header>
        {props.bar}
        <main id={MAIN_ID} className={styles.main} tabIndex={-1}>
          {props.children}
        </main>
      </div>
      {props.nav ? (
        <nav className={styles.bottom} aria-label={props.nav.label}>
          {props.nav.bottomBar}
        </nav>
      ) : null}
    </div>
  );
}
