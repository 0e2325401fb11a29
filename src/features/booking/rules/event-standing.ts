import { type Attendee, type EventBody, masterOf, type When } from '#kernel/event.ts';
import { minuteMs } from '#kernel/time/civil.ts';
import { usualMs } from '#kernel/time/duration.ts';
import type { EventStanding } from './judge-event.ts';

/**
 * How a single event, or a series by its first instance, stands; null for forms that tell no time. Bookings have whole
 * minutes: seconds of an event are no move.
 */
export function standingOf(
  body: EventBody,
  times: { startsMs: number | null; endsMs: number | null },
): EventStanding | null {
  const facts = masterOf(body);
  const { startsMs: startMs } = times;
  if (facts === null || startMs === null) return null;
  const { when, core } = facts;
  const endMs = body.kind === 'single' ? times.endsMs : startMs + lengthMs(when);
  if (endMs === null) return null;
  return {
    startMs: wholeMinute(startMs),
    endMs: wholeMinute(endMs),
    allDay: when.kind === 'all-day',
    declined: core.self === 'declined',
  };
}

const wholeMinute = (ms: number) => Math.floor(ms / minuteMs) * minuteMs;

/** Returns the attendees of an event with their responses. */
export function attendeesOf(body: EventBody): readonly Attendee[] {
  return masterOf(body)?.core.attendees ?? [];
}

function lengthMs(when: When): number {
  if (when.kind === 'all-day') return 86_400_000;
  return usualMs(when.duration);
}
