import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { nowMs } from '#ui/clock.ts';
import { formatDay, formatTime } from '#ui/format.ts';
import { useSeen } from '#ui/live-connection.ts';
import { usePreferences } from '#ui/preferences.tsx';
import styles from './offline-bar.module.css';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Tells that the page may be outdated, and the age of a copy; disappears on reconnection. */
export function OfflineBar() {
  const { t } = useTranslation();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
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
