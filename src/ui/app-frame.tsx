import type { ReactNode } from 'react';
import styles from './app-frame.module.css';

export interface AppFrameProps {
  skipLabel: string;
  logo: ReactNode;
  /** Sidebar content: sections. */
  nav: ReactNode;
  navLabel: string;
  header: ReactNode;
  /** Phone: the bar at the bottom. */
  bottomBar: ReactNode;
  /** Above everything: offline, new version. */
  bar?: ReactNode;
  children: ReactNode;
}

export const MAIN_ID = 'main';

/** Sidebar, header and content; below 900 px the sidebar gives way to a bar at the bottom. */
export function AppFrame(props: AppFrameProps) {
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href={`#${MAIN_ID}`}>
        {props.skipLabel}
      </a>
      <nav className={styles.sidebar} aria-label={props.navLabel}>
        <div className={styles.logo}>{props.logo}</div>
        {props.nav}
      </nav>
      <div className={styles.column}>
        <header className={styles.header}>
          <div className={styles.phoneLogo}>{props.logo}</div>
          {props.header}
        </header>
        {props.bar}
        <main id={MAIN_ID} className={styles.main} tabIndex={-1}>
          {props.children}
        </main>
      </div>
      <nav className={styles.bottom} aria-label={props.navLabel}>
        {props.bottomBar}
      </nav>
    </div>
  );
}
