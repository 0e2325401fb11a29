import { IconAddressBook, IconLink, IconUser } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { calendarContract } from '#features/calendar/contract.ts';
import { searchContract } from '#features/search/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { foldText } from '#kernel/text/fold-text.ts';
import { copyText } from '#ui/copy-text.ts';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { showToast } from '#ui/toasts.tsx';
import { chooseEntries, type Entry } from './entries.ts';

const api = createClient(searchContract);

type Hits = Output<typeof searchContract.search>;
type EventHit = Hits['events'][number];
type EventList = Output<typeof calendarContract.listEvents>;
type CalendarList = Output<typeof calendarContract.listCalendars>;

/** Between two keys of somebody who types fast. */
const restMs = 60;
const most = 6;

function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** Finds the person's data that matches the words: loaded data at once, then the server's. */
export function useFound(typed: string, nowMs: number): { entries: Entry[]; isAsking: boolean; hasFailed: boolean } {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const wanted = foldText(typed);
  const rested = useRested(wanted);
  const answer = useQuery({
    queryKey: ['search', rested],
    queryFn: ({ signal }) => api.search({ query: { q: rested } }, { signal }),
    enabled: rested !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  if (wanted === '') return { entries: [], isAsking: false, hasFailed: false };

  const entryOf = (group: 'events' | 'meetings', hit: EventHit): Entry => {
    const startMs = msOfInstant(hit.start_time);
    const day = formatDay(startMs, preferences, nowMs);
    const when = hit.all_day ? day : `${day}, ${formatTime(startMs, preferences)}`;
    return {
      id: `event-${hit.event_id}`,
      group,
      title: hit.title,
      detail: [when, hit.location, hit.calendar_name].filter(Boolean).join(' · '),
      mark: hit.color,
      run: () => void navigate({ to: '/calendar', search: { day: hit.day, event: hit.event_id } }),
    };
  };
  const found = ({ events, meetings, people, contacts, calendars, links }: Hits): Entry[] => [
    ...events.map((hit) => entryOf('events', hit)),
    ...meetings.map((hit) => entryOf('meetings', hit)),
    ...people.map(
      (hit): Entry => ({
        id: `person-${hit.email}`,
        group: 'people',
        title: hit.name ?? hit.email,
        detail: [hit.name === null ? '' : hit.email, t('search.meetingsWith', { count: hit.events })]
          .filter(Boolean)
          .join(' · '),
        mark: IconUser,
        run: () => void navigate({ to: '/meetings', search: { search: hit.email } }),
      }),
    ),
    ...contacts.map(
      (hit): Entry => ({
        id: `contact-${hit.contact_id}`,
        group: 'contacts',
        title: hit.name ?? hit.address,
        detail: [hit.name === null ? '' : hit.address, hit.company].filter(Boolean).join(' · '),
        mark: IconAddressBook,
        run: () => void navigate({ to: '/contacts', search: { contact: hit.contact_id } }),
      }),
    ),
    ...calendars.map(
      (hit): Entry => ({
        id: `calendar-${hit.calendar_id}`,
        group: 'calendars',
        title: hit.name,
        detail: hit.account,
        mark: hit.color,
        run: () => void navigate({ to: '/integrations' }),
      }),
    ),
    ...links.map(
      (hit): Entry => ({
        id: `link-${hit.url}`,
        group: 'links',
        title: t('search.copyLink', { title: hit.title }),
        detail: hit.url.replace(/^https?:\/\//, ''),
        mark: IconLink,
        run: () =>
          void copyText(hit.url).then((copied) =>
            showToast({
              subject: 'copied-link',
              state: copied ? 'ok' : 'bad',
              message: copied ? t('search.linkCopied', { title: hit.title }) : hit.url,
            }),
          ),
      }),
    ),
  ];
  const isCurrent = rested === wanted && !answer.isPlaceholderData;
  const known = answer.data === undefined ? [] : found(answer.data);
  if (isCurrent && known.length > 0) return { entries: known, isAsking: false, hasFailed: false };
  // Until the server has answered, and where its index is not as far yet: of what it said before and of what this page
  // holds, what fits.
  const held = [...known, ...listHeld(queryClient.getQueriesData<EventList>({ queryKey: ['calendar', 'events'] }))];
  const calendars = queryClient.getQueryData<CalendarList>(['calendar', 'calendars'])?.calendars ?? [];
  const colors = new Map(calendars.map((calendar) => [calendar.id, calendar]));
  const local = held.map((one): Entry => {
    if ('group' in one) return one;
    const calendar = colors.get(one.calendar_id);
    const zoned = Temporal.Instant.from(one.start_time).toZonedDateTimeISO(preferences.zone);
    return entryOf(one.attendees.length > 0 ? 'meetings' : 'events', {
      ...one,
      day: one.start_date ?? zoned.toPlainDate().toString(),
      calendar_name: calendar?.name ?? '',
      color: calendar?.color ?? '#8e8e93',
    });
  });
  const once = [...new Map(local.map((entry) => [entry.id, entry])).values()];
  const entries = (['events', 'meetings', 'people', 'contacts', 'calendars', 'links'] as const).flatMap((group) =>
    chooseEntries(
      once.filter((entry) => entry.group === group),
      typed,
      most,
    ),
  );
  return {
    entries,
    isAsking: !answer.isError && !(isCurrent && answer.isSuccess),
    hasFailed: answer.isError && rested === wanted,
  };
}

function listHeld(answers: [unknown, EventList | undefined][]): EventList['events'] {
  const events = answers.flatMap(([, list]) => list?.events ?? []).filter((event) => !event.is_holdfast_block);
  return [...new Map(events.map((event) => [event.event_id, event])).values()];
}
