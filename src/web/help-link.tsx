import { IconHelpCircle } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from './shell.module.css';

/** To what is written about the screen that is open. */
export function HelpLink() {
  const { t } = useTranslation();
  const about = useLocation({ select: ({ pathname }) => pathname });
  return (
    <Link to="/help" search={{ about }} className={styles.help} aria-label={t('shell.helpHere')}>
      <IconHelpCircle size={18} stroke={1.6} aria-hidden />
    </Link>
  );
}
