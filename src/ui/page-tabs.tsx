import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './page-tabs.module.css';

/** The pages that belong together, below their heading. */
export function PageTabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  );
}

/** One of them: an ordinary link, so a router can give it its behaviour. */
export function PageTab(props: ComponentPropsWithRef<'a'>) {
  return <a {...props} className={styles.tab} />;
}
