import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type ArtName, EmptyArt } from '#ui/empty-art.tsx';
import { Logo } from '#ui/logo.tsx';
import { keepTitleFocus } from '#ui/page-title.ts';
import styles from './guest-frame.module.css';
import { LanguageSwitch } from './language-switch.tsx';

export interface GuestFrameProps {
  title: string;
  text: ReactNode;
  /** Where one is, above the title. */
  steps?: ReactNode;
  /** A picture above the title, where there is nothing to fill in. */
  art?: ArtName;
  children?: ReactNode;
  /** Below the card: the way elsewhere. */
  other?: ReactNode;
}

/** The card in which people come in. */
export function GuestFrame({ title, text, steps, art, children, other }: GuestFrameProps) {
  const { t } = useTranslation();
  return (
    <main className={styles.frame}>
      <div className={styles.logo}>
        <Logo name={t('shell.product')} />
      </div>
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
      <LanguageSwitch />
    </main>
  );
}
