import { useTranslation } from 'react-i18next';
import { RelativeTime } from '#ui/relative-time.tsx';
import styles from './entry-list.module.css';
import type { Entry } from './people-queries.ts';

/** Lines of the audit: who did what, to whom, why. */
export function EntryList({ entries }: { entries: readonly Entry[] }) {
  return (
    <ol className={styles.list}>
      {entries.map((entry) => (
        <EntryLine key={entry.id} entry={entry} />
      ))}
    </ol>
  );
}

function EntryLine({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const { id, actor, actorType, actionType, subject, reason, details, requestId, timestamp, hash } = entry;
  const facts = Object.entries(details).map(([name, value]) => `${name}: ${value}`);
  return (
    <li className={styles.line}>
      <div className={styles.head}>
        <strong>{t(`audit.action.${actionType}`)}</strong>
        <span className={styles.when}>
          <RelativeTime at={timestamp} />
        </span>
      </div>
      <p className={styles.who}>
        {actorType === 'System' ? t('audit.system') : (actor ?? t('audit.gone'))}
        {subject ? ` → ${subject.email ?? (subject.kind === 'user' ? t('audit.gone') : subject.id)}` : ''}
      </p>
      {reason === null ? null : <p className={styles.reason}>{reason}</p>}
      <p className={styles.meta}>
        <span className="hf-num">#{id}</span> <code title={hash}>{hash.slice(0, 12)}</code>
        {facts.length === 0 ? '' : ` · ${facts.join(' · ')}`}
        {requestId === null ? '' : ` · ${t('audit.request', { id: requestId })}`}
      </p>
    </li>
  );
}
