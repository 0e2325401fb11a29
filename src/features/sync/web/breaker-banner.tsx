import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ActionButton } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './breaker-banner.module.css';
import { calendarName } from './calendar-label.tsx';
import { type Breaker, type NamedCalendar, useAnswerBreaker } from './queries.ts';

/** Deletions that were held back because they looked like an accident; their owner decides. */
export function BreakerBanner({
  groupId,
  breaker,
  calendars,
}: {
  groupId: string;
  breaker: Breaker;
  calendars: NamedCalendar[];
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const answer = useAnswerBreaker(groupId);
  const names = {
    source: calendarName(calendars, breaker.sourceCalendarId, t('sync.unknownCalendar')),
    target: calendarName(calendars, breaker.targetCalendarId, t('sync.unknownCalendar')),
  };
  const { sourceCalendarId, targetCalendarId } = breaker;
  const give = (choice: 'delete' | 'keep') =>
    answer.mutate(
      { sourceCalendarId, targetCalendarId, answer: choice },
      { onError: (error) => showToast({ subject: 'breaker', state: 'bad', message: errorText(error) }) },
    );

  if (breaker.state === 'waiting') {
    return (
      <div className={styles.banner}>
        <Banner state="pending" title={t('sync.breaker.waitingTitle', { count: breaker.deletes, ...names })}>
          {t('sync.breaker.waitingText')}
        </Banner>
      </div>
    );
  }
  return (
    <div className={styles.banner}>
      <Banner
        state="warn"
        role="alert"
        title={t('sync.breaker.question', { count: breaker.deletes, ...names })}
        actions={
          <>
            <ActionButton
              type="button"
              size="xs"
              variant="default"
              pending={answer.isPending}
              pendingLabel={t('sync.breaker.pending')}
              onClick={() => give('keep')}
            >
              {t('sync.breaker.keep')}
            </ActionButton>
            <ActionButton
              type="button"
              size="xs"
              color="bad"
              pending={answer.isPending}
              pendingLabel={t('sync.breaker.pending')}
              onClick={() => give('delete')}
            >
              {t('sync.breaker.delete', { count: breaker.deletes })}
            </ActionButton>
          </>
        }
      >
        <p>
          {t('sync.breaker.text')} {t('sync.breaker.since')} <RelativeTime at={breaker.since} />.
        </p>
        {breaker.examples.length > 0 ? (
          <ul className={styles.examples} aria-label={t('sync.breaker.examples')}>
            {[...new Set(breaker.examples)].map((example) => (
              <li key={example}>{example}</li>
            ))}
          </ul>
        ) : null}
      </Banner>
    </div>
  );
}
