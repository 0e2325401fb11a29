import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { iconOfState, type State, toneOfState } from '#ui/state.ts';
import type { AuditEntry } from '../queries.ts';
import styles from './audit-list.module.css';

const states: Record<AuditEntry['status'], State> = { success: 'ok', pending: 'pending', error: 'bad' };

/** The audit log of a mirror, newest first. */
export function AuditList({ entries, label, full }: { entries: readonly AuditEntry[]; label: string; full: boolean }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  const statusWords: Record<AuditEntry['status'], string> = {
    success: t('meetings.audit.success'),
    pending: t('meetings.audit.pending'),
    error: t('meetings.audit.error'),
  };
  const actorWords: Record<AuditEntry['actor'], string> = {
    user: t('meetings.audit.actor.user'),
    webhook: t('meetings.audit.actor.webhook'),
    poll: t('meetings.audit.actor.poll'),
    sweep: t('meetings.audit.actor.sweep'),
  };
  return (
    <ol className={styles.list} aria-label={label}>
      {entries.map((entry) => {
        const state = states[entry.status];
        const Icon = iconOfState[state];
        const atMs = msOfInstant(entry.timestamp);
        const facts = [
          entry.type,
          `${formatDay(atMs, preferences, currentMs)}, ${formatTime(atMs, preferences)}`,
          entry.duration_ms === null ? '' : t('meetings.audit.duration', { ms: entry.duration_ms }),
          entry.target ?? '',
          full ? actorWords[entry.actor] : '',
        ].filter(Boolean);
        return (
          <li key={entry.id} className={styles.entry}>
            <span className={styles.dot} data-tone={toneOfState[state]}>
              <Icon size={13} stroke={2.4} aria-hidden />
              <span className="hf-sr-only">{statusWords[entry.status]}</span>
            </span>
            <div>
              <p className={styles.message}>{entry.message}</p>
              <p className={styles.facts}>{facts.join(' · ')}</p>
              {entry.error ? <p className={styles.error}>{entry.error}</p> : null}
              {full && entry.request_id ? (
                <p className={styles.facts}>
                  {t('meetings.audit.requestId')} <code>{entry.request_id}</code>
                </p>
              ) : null}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
