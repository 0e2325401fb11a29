import { IconCalendarEvent, IconCalendarPlus, IconWorld } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatDay, formatTime } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import type { Entry } from './entries.ts';
import { momentOf, readWish } from './read-wish.ts';

/** Entries for a time in the typed text: an event to create, a day to open, or the local time of a time elsewhere. */
export function useWishes(typed: string, nowMs: number): Entry[] {
  const { t, i18n } = useTranslation();
  const preferences = usePreferences();
  const navigate = useNavigate();
  const { zone, dateFormat } = preferences;
  const reading = { nowMs, zone, monthFirst: dateFormat.startsWith('MM'), language: i18n.language };
  const wish = readWish(typed, reading);
  const moment = momentOf(wish, reading);
  if (moment === null) return [];
  const { start, minutes } = moment;
  const startMs = start.epochMilliseconds;
  const day = formatDay(startMs, preferences, nowMs);
  const from = formatTime(startMs, preferences);
  const to = formatTime(startMs + minutes * 60_000, preferences);

  const create: Entry = {
    id: 'time-create',
    group: 'time',
    title: wish.title === '' ? t('search.createAt') : t('search.createTitled', { title: wish.title }),
    detail: `${day}, ${from} – ${to}`,
    mark: IconCalendarPlus,
    run: () =>
      void navigate({
        to: '/calendar',
        search: {
          day: start.toPlainDate().toString(),
          new: start.toPlainDateTime().toString({ smallestUnit: 'minute' }),
          minutes,
          ...(wish.title === '' ? {} : { title: wish.title }),
        },
      }),
  };
  const jump: Entry = {
    id: 'time-jump',
    group: 'time',
    title: t('search.goToDay', { day }),
    mark: IconCalendarEvent,
    run: () => void navigate({ to: '/calendar', search: { day: start.toPlainDate().toString() } }),
  };
  if (wish.place !== null) {
    const there = { ...preferences, zone: wish.place.zone };
    const hereDay = formatDay(startMs, preferences, nowMs);
    const thereDay = formatDay(startMs, there, nowMs);
    const convert: Entry = {
      id: 'time-convert',
      group: 'time',
      title: t('search.convert', { here: from, there: formatTime(startMs, there), place: wish.place.name }),
      detail:
        hereDay === thereDay
          ? hereDay
          : t('search.convertDays', { here: hereDay, there: thereDay, place: wish.place.name }),
      mark: IconWorld,
      run: jump.run,
    };
    return [convert, create];
  }
  return wish.title === '' && wish.time === null ? [jump, create] : wish.title === '' ? [create, jump] : [create];
}
