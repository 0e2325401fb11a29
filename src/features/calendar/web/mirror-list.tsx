import { IconLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { useExplain } from '#ui/explain.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import type { State } from '#ui/state.ts';
import type { GridEvent } from './grid-event.ts';
import { useEventMirrors } from './mirror-calls.ts';
import styles from './mirror-list.module.css';
import { useRetryMirror } from './retry-mirror.ts';

const stateOf: Record<'created' | 'pending' | 'failed' | 'skipped', State> = {
  created: 'ok',
  pending: 'pending',
  failed: 'bad',
  skipped: 'idle',
};

/** In an event's card: the blocks that stand for it, one by one with their state, or the origin of a block. */
export function MirrorList({ event }: { event: GridEvent }) {
  const { t } = useTranslation();
  const { data, isError } = useEventMirrors(event);
  const retry = useRetryMirror();
  const errorText = useErrorText();
  const explain = useExplain();
  if (isError) return <p className={styles.quiet}>{t('calendar.mirrorsFailed')}</p>;
  if (data === undefined) return <Skeleton width="60%" height={16} />;
  if (data.origin !== null) {
    return (
      <p className={styles.origin} role="status">
        <IconLink size={15} stroke={1.8} aria-hidden />
        <span>
          {t('calendar.mirrorOf', {
            title: data.origin.title === '' ? t('calendar.untitled') : data.origin.title,
            calendar: data.origin.calendar_name,
          })}
        </span>
      </p>
    );
  }
  if (data.mirrors.length === 0) {
    return <p className={styles.quiet}>{event.isMirror ? t('calendar.originGone') : t('calendar.notMirrored')}</p>;
  }
  return (
    <section className={styles.mirrors} aria-label={t('calendar.mirroredTo', { count: data.mirrors.length })}>
      <h3 className={styles.heading}>{t('calendar.mirroredTo', { count: data.mirrors.length })}</h3>
      <ul className={styles.list}>
        {data.mirrors.map((mirror) => (
          <li key={mirror.mirror_id} className={styles.mirror}>
            <span className={styles.name}>{mirror.calendar_name}</span>
            <StateBadge state={stateOf[mirror.status]}>{t(`calendar.mirrorState.${mirror.status}`)}</StateBadge>
            {mirror.reason === null ? null : <span className={styles.reason}>{mirror.reason}</span>}
            {mirror.status === 'failed' || (mirror.status === 'skipped' && explain !== null) ? (
              <span className={styles.ways}>
                {mirror.status === 'failed' ? (
                  <button
                    type="button"
                    className={styles.way}
                    disabled={retry.isPending}
                    onClick={() => retry.mutate(mirror.mirror_id)}
                  >
                    {t('calendar.retryMirror')}
                    <span className="hf-sr-only"> {mirror.calendar_name}</span>
                  </button>
                ) : null}
                {explain === null ? null : (
                  <button
                    type="button"
                    className={styles.way}
                    onClick={(press) => {
                      // The card is the top layer: the panel would stand behind it.
                      press.currentTarget.closest('dialog')?.close();
                      explain({ about: 'mirrors', eventId: event.id, calendarId: mirror.calendar_id });
                    }}
                  >
                    {t('calendar.whyMirror')}
                    <span className="hf-sr-only"> {mirror.calendar_name}</span>
                  </button>
                )}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {retry.isError ? (
        <p className={styles.quiet} role="alert">
          {errorText(retry.error)}
        </p>
      ) : null}
    </section>
  );
}
