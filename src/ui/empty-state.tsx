import type { ReactNode } from 'react';
import { type ArtName, EmptyArt } from './empty-art.tsx';
import styles from './empty-state.module.css';

export interface EmptyStateProps {
  art: ArtName;
  title: string;
  /** One line: what this is. */
  text: ReactNode;
  /** The one primary action. */
  action?: ReactNode;
  /** One quiet link. */
  link?: ReactNode;
}

export function EmptyState({ art, title, text, action, link }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <EmptyArt name={art} />
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{text}</p>
      {action ? <div className={styles.action}>{action}</div> : null}
      {link}
    </div>
  );
}
