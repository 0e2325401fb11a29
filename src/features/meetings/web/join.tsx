import { IconVideo } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ButtonAnchor } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import styles from './mirrors/mirror-details.module.css';

/** Joins a meeting, or copies its link; nothing where it has none. */
export function Join({ href }: { href: string | undefined }) {
  const { t } = useTranslation();
  if (href === undefined) return null;
  return (
    <div className={styles.join}>
      <ButtonAnchor
        href={href}
        target="_blank"
        rel="noreferrer noopener"
        leftSection={<IconVideo size={16} aria-hidden />}
      >
        {t('meetings.details.join')}
      </ButtonAnchor>
      <CopyButton text={href}>{t('meetings.details.copyLink')}</CopyButton>
    </div>
  );
}
