import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { TwoLines } from '#ui/data-table.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import type { Question } from '#ui/explain.ts';
import { ColorMark, providerName } from '#ui/provider-mark.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import type { State } from '#ui/state.ts';
import { useSpanText } from '../bookings/use-span-text.ts';
import { MirrorReasonLine } from '../mirrors/mirror-reason.tsx';
import styles from './explain-panel.module.css';
import { type TargetExplained, useMirrorsExplained } from './explain-queries.ts';

const states: Record<TargetExplained['verdict'], State> = {
  copied: 'ok',
  'on-its-way': 'pending',
  failed: 'bad',
  'not-copied': 'idle',
};

/** Whether an event is mirrored to one calendar or each, with everything that decides it. */
export function MirrorsAnswer({
  question,
  onLeave,
}: {
  question: Extract<Question, { about: 'mirrors' }>;
  onLeave: () => void;
}) {
  const { t } = useTranslation();
  const spanText = useSpanText();
  const { data, error, refetch } = useMirrorsExplained(question);
  if (!data && error) return <ErrorState title={t('explain.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={3} label={t('explain.loading')} />;
  const { event, targets } = data;
  const time = spanText({ start: event.start_time, end: event.end_time });
  const repeats = event.recurring ? t('explain.thisInstance') : '';
  return (
    <>
      <p className={styles.subject}>
        <strong>{event.title}</strong>
        <span>{[time, repeats, t('explain.in', { calendar: event.calendar_name })].filter(Boolean).join(' · ')}</span>
      </p>
      {targets.length === 0 ? <p>{t('explain.noOther')}</p> : null}
      <ul className={styles.answers}>
        {targets.map((target) => (
          <li key={target.calendar_id} className={styles.answer}>
            <div className={styles.head}>
              <span className={styles.place}>
                <ColorMark color={target.color} />
                <TwoLines
                  first={target.calendar_name}
                  second={`${providerName(target.provider)} · ${target.account}`}
                />
              </span>
              <StateBadge state={states[target.verdict]}>{t(`explain.verdict.${target.verdict}`)}</StateBadge>
            </div>
            <ul className={styles.reasons}>
              {target.reasons.map((reason) => (
                <MirrorReasonLine key={reason.code} reason={reason} onLeave={onLeave} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </>
  );
}
