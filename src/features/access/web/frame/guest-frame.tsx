import type { ReactNode } from 'react';
import { type ArtName, EmptyArt } from '#ui/empty-art.tsx';
import { keepTitleFocus } from '#ui/page-title.ts';
import styles from './guest-frame.module.css';

export interface GuestFrameProps {
  logo: ReactNode;
  title: string;
  text: ReactNode;
  /** Where one is, above the title. */
  steps?: ReactNode;
  /** A picture above the title, where there is nothing to fill in. */
  art?: ArtName;
  children?: ReactNode;
  /** Below the card: the way elsewhere. */
  other?: ReactNode;
  /** At the end of the page. */
  foot: ReactNode;
}

/** The card in which people come in. */
export function GuestFrame({ logo, title, text, steps, art, children, other, foot }: GuestFrameProps) {
  return (
    <main className={styles.frame}>
      <div className={styles.logo}>{logo}</div>
      <div className={styles.slot}>
        <div className={styles.card}>
          {steps ? <div className={styles.steps}>{steps}</div> : null}
          <header className={styles.header} data-centred={art ? true : undefined}>
            {art ? <EmptyArt name={art} /> : null}
            <h1 tabIndex={-1} data-page-title ref={keepTitleFocus} className={styles.title}>
              {title}
            </h1>
            <p className={styles.text}>{text}</p>
          </header>
          {children}
        </div>
      </div>
      {other ? <p className={styles.other}>{other}</p> : null}
      {foot}
    </main>
  );
}
