import type { ReactNode } from 'react';
import styles from './page.module.css';

export interface PageProps {
  title: string;
  subtitle?: ReactNode;
  /** Buttons right of the title. */
  actions?: ReactNode;
  children: ReactNode;
  /** narrow for forms, wide for tables. */
  width?: 'narrow' | 'wide';
}

/** A page's heading and column. The heading takes focus when the route changes. */
export function Page({ title, subtitle, actions, children, width = 'wide' }: PageProps) {
  return (
    <div className={styles.page} data-width={width}>
      <header className={styles.header}>
        <div className={styles.titles}>
          <h1 tabIndex={-1} data-page-title>
            {title}
          </h1>
          {subtitle ? <p className={styles.subtitle}>{subtitle}</p> : null}
        </div>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}

/** A card with an optional heading: the one container of the app. */
export function Panel({
  title,
  text,
  actions,
  children,
  flush = false,
}: {
  title?: ReactNode;
  text?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
  /** Rows and tables touch the edge. */
  flush?: boolean;
}) {
  return (
    <section className={styles.panel}>
      {title ? (
        <div className={styles.panelHeader}>
          <div className={styles.titles}>
            <h2 className={styles.panelTitle}>{title}</h2>
            {text ? <p className={styles.panelText}>{text}</p> : null}
          </div>
          {actions ? <div className={styles.actions}>{actions}</div> : null}
        </div>
      ) : null}
      {children ? <div className={flush ? styles.flush : styles.panelBody}>{children}</div> : null}
    </section>
  );
}
