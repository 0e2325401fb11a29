import { useTranslation } from 'react-i18next';
import { LogoMark } from '#ui/logo.tsx';
import styles from './session-spinner.module.css';

/** Shown when the session check or a screen's code takes longer than 300 ms. */
export function SessionSpinner() {
  const { t } = useTranslation();
  return (
    <div className={styles.center} role="status" aria-label={t('shell.loading')}>
      <LogoMark size={36} />
    </div>
  );
}
