import type { TFunction } from 'i18next';
import type { EventType, Settings } from './queries.ts';

/** "45 min", "1 h 30 min", "2 days": a length of time as people say it. */
export function lengthText(minutes: number, t: TFunction): string {
  if (minutes > 0 && minutes % 1_440 === 0) return t('booking.length.days', { count: minutes / 1_440 });
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return t('booking.length.minutes', { count: minutes });
  if (minutes % 60 === 0) return t('booking.length.hours', { count: hours });
  return t('booking.length.mixed', { hours, minutes: minutes % 60 });
}

export const placeText = ({ kind }: Settings['location'], t: TFunction) => t(`booking.place.${kind}`);

/** One line below the title of an event type. */
export function summaryOf({ kind, settings }: EventType, t: TFunction): string {
  return [
    settings.durations_minutes.map((minutes) => lengthText(minutes, t)).join(', '),
    kind === 'group' ? t('booking.kind.groupOf', { count: settings.seats }) : t(`booking.kind.${kind}`),
    placeText(settings.location, t),
    settings.confirmation ? t('booking.row.confirmation') : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
