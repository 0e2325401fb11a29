import { useQuery } from '@tanstack/react-query';
import { availabilityContract } from '#features/availability/contract.ts';
import { calendarContract } from '#features/calendar/contract.ts';
import { meetingsContract } from '#features/meetings/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { useNowMs } from '#ui/clock.ts';
import { msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import type { Timed } from './plan-day.ts';

const calendar = createClient(calendarContract);
const availability = createClient(availabilityContract);
const meetings = createClient(meetingsContract);

type Event = Output<typeof calendarContract.listEvents>['events'][number];
export type TimedEvent = Event & Timed;

/** Events of the week and of tomorrow, the open hours of today, and the state of bookings and blocks. */
export function useToday() {
  const nowMs = useNowMs();
  const { zone, weekStart } = usePreferences();
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate();
  const monday = today.subtract({ days: (today.dayOfWeek - weekStart + 7) % 7 });
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).epochMilliseconds;
  const days = Array.from({ length: 7 }, (_, n) => monday.add({ days: n }));
  const ends = {
    from: iso(startOf(monday)),
    to: iso(Math.max(startOf(monday.add({ days: 7 })), startOf(today.add({ days: 2 })))),
  };
  const dayEnds = { from: iso(startOf(today)), to: iso(startOf(today.add({ days: 1 }))) };
  const events = useQuery({
    queryKey: ['calendar', 'dashboard', ends],
    queryFn: ({ signal }) => calendar.listEvents({ query: ends }, { signal }),
    refetchInterval: 60_000,
  });
  const hours = useQuery({
    queryKey: ['availability', 'dashboard', dayEnds],
    queryFn: ({ signal }) => availability.openHours({ query: dayEnds }, { signal }),
  });
  const console = useQuery({
    queryKey: ['meetings', 'dashboard'],
    queryFn: ({ signal }) => meetings.listMeetings({ query: { scope: 'mirrors' } }, { signal }),
    refetchInterval: 60_000,
  });
  const own = (events.data?.events ?? []).filter((one) => !one.is_holdfast_block && !one.declined);
  const timed = own
    .filter((one) => !one.all_day)
    .map((one): TimedEvent => ({ ...one, startMs: msOfInstant(one.start_time), endMs: msOfInstant(one.end_time) }))
    .toSorted((one, other) => one.startMs - other.startMs);
  const open = (hours.data?.spans ?? []).map(({ start, end }) => ({ startMs: msOf(start), endMs: msOf(end) }));
  return {
    nowMs,
    today,
    days,
    startOf,
    timed,
    allDay: own.filter((one) => one.all_day),
    open,
    counts: console.data?.counts,
    isPending: events.isPending || hours.isPending,
    error: events.error,
    retry: () => void events.refetch(),
  };
}

const iso = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
const msOf = (at: string | number) => (typeof at === 'number' ? at : msOfInstant(at));
