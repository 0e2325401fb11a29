import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '#ui/logo.tsx';
import styles from './guest-frame.module.css';

/** The card in which people sign in and up. */
export function GuestFrame({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <main className={styles.frame}>
      <Logo name={t('shell.product')} />
      <div className={styles.card}>
        <h1 tabIndex={-1} data-page-title className={styles.title}>
          {title}
        </h1>
        <p className={styles.text}>{text}</p>
        {children}
      </div>
    </main>
  );
}
