import {
  IconAlertTriangle,
  IconCalendarCancel,
  IconCalendarPlus,
  IconCalendarQuestion,
  IconCalendarX,
  IconCircleCheck,
  IconCopyOff,
  IconEditOff,
  IconHandStop,
  IconPlugConnectedX,
  type IconProps,
  IconUserPlus,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { formatSpan } from '#ui/spans/format-span.ts';
import { placeOf, wordsFor } from '../rules.ts';
import styles from './inbox-panel.module.css';
import type { Notice } from './queries.ts';

const icons: Record<Notice['kind'], ComponentType<IconProps>> = {
  reconnect: IconPlugConnectedX,
  stopped: IconPlugConnectedX,
  calendar: IconCalendarX,
  breaker: IconHandStop,
  mirrors: IconCopyOff,
  conflict: IconAlertTriangle,
  edit: IconEditOff,
  'booking-moved': IconCalendarQuestion,
  'booking-deleted': IconCalendarQuestion,
  'booking-declined': IconCalendarQuestion,
  'booking-conflict': IconAlertTriangle,
  'booking-overbooked': IconCalendarQuestion,
  stale: IconCalendarX,
  requested: IconCalendarQuestion,
  booked: IconCalendarPlus,
  cancelled: IconCalendarCancel,
  invitation: IconUserPlus,
  panel: IconUserPlus,
};

/** One notice: what is so, since when, and the way to where it is mended. */
export function NoticeRow({
  notice,
  onOpen,
  onMark,
}: {
  notice: Notice;
  onOpen: () => void;
  onMark: (read: boolean) => void;
}) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const { kind, details, read, over } = notice;
  const Icon = over ? IconCircleCheck : icons[kind];
  const [one, other] = details.events ?? [];
  const words = wordsFor(notice);
  const overlapMs = one && other ? Math.max(msOfInstant(one.start_time), msOfInstant(other.start_time)) : nowMs;
  const timesOf = (event: NonNullable<typeof one>) =>
    formatSpan({ startMs: msOfInstant(event.start_time), endMs: msOfInstant(event.end_time) }, preferences, {
      currentMs: nowMs,
      allDay: t('inbox.allDay'),
      underMs: overlapMs,
    });
  const momentOf = (instant: string) => {
    const atMs = msOfInstant(instant);
    return `${formatDay(atMs, preferences, nowMs)}, ${formatTime(atMs, preferences)}`;
  };
  return (
    <li className={styles.row} data-unread={(!read && !over) || undefined} data-over={over || undefined}>
      <Icon size={18} stroke={1.8} className={styles.icon} aria-hidden />
      <div className={styles.words}>
        <Link {...placeOf(notice)} className={styles.link} onClick={onOpen}>
          {!read && !over ? <span className="hf-sr-only">{t('inbox.unreadMark')} </span> : null}
          {t(`inbox.kind.${words.key}`, { ...words.values, interpolation: { escapeValue: false } })}
        </Link>
        {one && other ? (
          <p className={styles.text}>
            {formatDay(overlapMs, preferences, nowMs)}: {timesOf(one)} ({one.calendar}), {timesOf(other)} (
            {other.calendar})
          </p>
        ) : null}
        {details.start_time ? <p className={styles.text}>{momentOf(details.start_time)}</p> : null}
        {details.reason ? <p className={styles.text}>{details.reason}</p> : null}
        <p className={styles.meta}>
          {over ? `${t('inbox.over')} · ` : ''}
          <RelativeTime at={notice.at} />
          {over ? null : (
            <button type="button" className={styles.mark} onClick={() => onMark(!read)}>
              {read ? t('inbox.markUnread') : t('inbox.markRead')}
            </button>
          )}
        </p>
      </div>
    </li>
  );
}
