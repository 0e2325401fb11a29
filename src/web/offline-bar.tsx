import { useTranslation } from 'react-i18next';
import { nowMs } from '#ui/clock.ts';
import { formatDay, formatTime } from '#ui/format.ts';
import { useOnline, useSeen } from '#ui/live-connection.ts';
import { usePreferences } from '#ui/preferences.tsx';
import styles from './offline-bar.module.css';

/** Says that what is on the page may be old, and how old where it is a copy; goes away by itself. */
export function OfflineBar() {
  const { t } = useTranslation();
  const online = useOnline();
  const seenMs = useSeen();
  const reading = usePreferences();
  const at = seenMs === null ? '' : `${formatDay(seenMs, reading, nowMs())}, ${formatTime(seenMs, reading)}`;
  return (
    <div role="status">
      {seenMs !== null ? (
        <p className={styles.bar}>{t('shell.offlineCopy', { at })}</p>
      ) : online ? null : (
        <p className={styles.bar}>{t('shell.offline')}</p>
      )}
    </div>
  );
}
