import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { guestBusyContract } from '#features/edits/guests/contract.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { dayMs, hourMs, minuteMs } from '#kernel/time/civil.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { guestsContract, mostGuestsAsked } from '../../../guests/contract.ts';
import { timeLabels } from '../../time-labels.ts';
import { FreeTimes } from '../conflict-line.tsx';
import { type EventDraft, spanOf } from '../event-draft.ts';
import styles from './guest-times.module.css';
import { useRestedText } from './rested-text.ts';

const { guestTimes } = guestsContract;
const { guestBusy } = guestBusyContract;
const api = createClient({ guestTimes, guestBusy });

type Asked = Input<typeof guestTimes>['body'];
type Times = Output<typeof guestTimes>;

/** A pause in choosing. */
const pauseMs = 250;

/** Providers are asked for two weeks on both sides, from day to day, so that the answer serves a form whose time changes. */
const reachMs = 14 * dayMs;
const busyStaysMs = 120_000;

/** The times of the guests of a form. Nothing is asked for whole days, and for events of more than a day. */
export function useGuestTimes(draft: EventDraft, exceptEventId: string | null) {
  const wanted = questionOf(draft, exceptEventId);
  const rested = useRestedText(wanted, pauseMs);
  const { data, isError } = useQuery({
    queryKey: ['calendar', 'guest-times', rested],
    queryFn: ({ signal }) => api.guestTimes({ body: JSON.parse(rested) as Asked }, { signal }),
    enabled: rested !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const others = useProviderTimes(draft, wanted === '' ? undefined : data);
  const withOthers = useQuery({
    queryKey: ['calendar', 'guest-times', rested, others.known],
    queryFn: ({ signal }) =>
      api.guestTimes({ body: { ...(JSON.parse(rested) as Asked), known: others.known } }, { signal }),
    enabled: rested !== '' && others.known !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const times = (others.known === undefined ? undefined : withOthers.data) ?? data;
  return { times: wanted === '' ? undefined : times, isAsked: wanted !== '', isError, isLooking: others.isLooking };
}

/** Busy times of guests outside the teams, as far as a provider tells them; asked once the rest is on screen. */
function useProviderTimes(draft: EventDraft, times: Times | undefined) {
  const span = spanOf(draft);
  const guests = (times?.guests ?? []).filter(({ shared }) => !shared).map(({ address }) => address);
  const from = Math.floor(((span?.startMs ?? 0) - reachMs) / dayMs) * dayMs;
  const to = Math.ceil(((span?.endMs ?? 0) + reachMs) / dayMs) * dayMs;
  const isAsked = span !== null && guests.length > 0 && draft.calendarId !== '';
  const { data, isFetching } = useQuery({
    // No live update makes it stale: each question costs calls of providers.
    queryKey: ['guest-busy', draft.calendarId, from, to, guests],
    queryFn: async ({ signal }) => {
      const body = { calendar_id: draft.calendarId, from, to, guests } as Input<typeof guestBusy>['body'];
      const told = await api.guestBusy({ body }, { signal });
      return told.guests.flatMap(({ address, busy }) => (busy === null ? [] : [{ address, busy }]));
    },
    enabled: isAsked,
    staleTime: busyStaysMs,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return { known: isAsked && data?.length ? data : undefined, isLooking: isAsked && isFetching };
}

/** The body of the call as text, which is compared; empty where there is nothing to ask. */
function questionOf(draft: EventDraft, exceptEventId: string | null): string {
  const span = spanOf(draft);
  const { guests, allDay } = draft;
  if (span === null || allDay || guests.length === 0) return '';
  const lengthMs = span.endMs - span.startMs;
  if (lengthMs <= 0 || lengthMs > dayMs) return '';
  const iso = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
  const asked: Asked = {
    start: iso(span.startMs),
    end: iso(span.endMs),
    except_event_id: exceptEventId,
    guests: guests.slice(0, mostGuestsAsked).map(({ email }) => email),
  };
  return JSON.stringify(asked);
}

/** Each guest who shares their times with the day and a word, the others by name, and when all of the first are free. */
export function GuestTimes({
  draft,
  asked,
  onChange,
}: {
  draft: EventDraft;
  asked: ReturnType<typeof useGuestTimes>;
  onChange: (draft: EventDraft) => void;
}) {
  const { t } = useTranslation();
  const labels = timeLabels(usePreferences());
  const { times, isAsked, isError, isLooking } = asked;
  if (!isAsked) return null;
  if (isError || times === undefined) {
    return (
      <p className={styles.quiet} role="status">
        {t(isError ? 'editor.guestTimes.failed' : 'editor.guestTimes.looking')}
      </p>
    );
  }
  const zone = loadZone(draft.zone) ?? utc;
  const nameOf = new Map(draft.guests.map(({ email, name }) => [email, name ?? email]));
  // The answer may be about a guest who was just removed.
  const guests = times.guests.filter(({ address }) => nameOf.has(address));
  const shared = guests.filter((guest) => guest.shared);
  const others = guests.filter((guest) => !guest.shared).map(({ address }) => nameOf.get(address) ?? address);
  const clock = (ms: number) => labels.minute(Math.floor((zone.toLocal(ms) % dayMs) / minuteMs));
  const stateOf = ({ busy_until: busyUntil, hours }: Times['guests'][number]) => {
    if (hours === 'away') return t('editor.guestTimes.away');
    if (busyUntil !== null) return t('editor.guestTimes.busy', { time: clock(busyUntil) });
    return t(hours === 'open' ? 'editor.guestTimes.free' : 'editor.guestTimes.outside');
  };
  const span = spanOf(draft);
  return (
    <section className={styles.times} aria-label={t('editor.guestTimes.title')}>
      {shared.length === 0 ? null : (
        <ul className={styles.list}>
          {shared.map((guest) => (
            <li key={guest.address} className={styles.guest}>
              <span className={styles.name} dir="auto" title={guest.address}>
                {nameOf.get(guest.address) ?? guest.address}
              </span>
              <DayBar day={times.day} busy={guest.busy} off={guest.off} wanted={span} />
              <span
                className={styles.state}
                data-busy={guest.busy_until !== null || guest.hours !== 'open' || undefined}
              >
                {stateOf(guest)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {others.length === 0 ? null : (
        <p className={styles.quiet} role="status">
          {isLooking ? t('editor.guestTimes.looking') : t('editor.guestTimes.notShared', { names: listed(others, t) })}
        </p>
      )}
      <FreeTimes
        draft={draft}
        label={t(others.length === 0 ? 'editor.guestTimes.all' : 'editor.guestTimes.allShared')}
        free={times.free.map(({ start, end }) => ({ startMs: start, endMs: end }))}
        onChange={onChange}
      />
    </section>
  );
}

const mostNamed = 4;

function listed(names: readonly string[], t: ReturnType<typeof useTranslation>['t']): string {
  const shown = names.slice(0, mostNamed).join(', ');
  return names.length > mostNamed ? `${shown} ${t('calendar.andMore', { count: names.length - mostNamed })}` : shown;
}

/** A bar shows these hours, and more where the event is earlier or later. */
const [firstHour, lastHour] = [6, 22];

/** The day of a guest as a bar: parts that are off or busy, and the proposed time over them. The words beside it say the same. */
function DayBar({
  day,
  busy,
  off,
  wanted,
}: {
  day: Times['day'];
  busy: Times['day'][];
  off: Times['day'][];
  wanted: { startMs: number; endMs: number } | null;
}) {
  const from = Math.min(day.start + firstHour * hourMs, wanted?.startMs ?? day.end);
  const to = Math.max(day.start + lastHour * hourMs, wanted?.endMs ?? day.start);
  const place = (start: number, end: number) => ({
    insetInlineStart: `${(100 * (start - from)) / (to - from)}%`,
    width: `${(100 * (end - start)) / (to - from)}%`,
  });
  return (
    <span className={styles.bar} aria-hidden="true">
      {off.map(({ start, end }) => (
        <span key={start} className={styles.off} style={place(start, end)} />
      ))}
      {busy.map(({ start, end }) => (
        <span key={start} className={styles.busy} style={place(start, end)} />
      ))}
      {wanted === null ? null : <span className={styles.wanted} style={place(wanted.startMs, wanted.endMs)} />}
    </span>
  );
}
