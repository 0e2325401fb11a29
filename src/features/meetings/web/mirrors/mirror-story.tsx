import { useTranslation } from 'react-i18next';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { MirrorRow } from '../queries.ts';
import styles from './mirror-story.module.css';

/** The planned block, the written one, when it was last verified, and the running attempts. */
export function MirrorStory({ row }: { row: MirrorRow }) {
  const { t } = useTranslation();
  const steps = [
    { name: t('meetings.story.desired'), at: row.planned_at, text: t('meetings.shownAs', { title: row.shown_as }) },
    {
      name: t('meetings.story.applied'),
      at: row.last_sync,
      text:
        row.last_sync === null
          ? t('meetings.story.notYet')
          : row.applied
            ? t('meetings.story.asDesired')
            : t('meetings.story.older'),
    },
    {
      name: t('meetings.story.verified'),
      at: row.verified_at,
      text: row.verified_at === null ? t('meetings.story.notYet') : t('meetings.story.seen'),
    },
  ];
  return (
    <dl className={styles.story}>
      {steps.map(({ name, at, text }) => (
        <div key={name} data-done={at === null ? undefined : true}>
          <dt>{name}</dt>
          <dd>
            {at === null ? null : <RelativeTime at={at} />}
            <span>{text}</span>
          </dd>
        </div>
      ))}
      {row.status === 'created' || (row.attempts === 0 && row.next_attempt_at === null) ? null : (
        <div>
          <dt>{t('meetings.details.attempts', { count: row.attempts })}</dt>
          <dd>
            {row.next_attempt_at === null ? (
              <span>{t('meetings.story.noMore')}</span>
            ) : (
              <>
                <span>{t('meetings.story.next')}</span> <RelativeTime at={row.next_attempt_at} />
              </>
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}
