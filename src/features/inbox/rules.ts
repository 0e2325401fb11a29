import type * as z from 'zod/mini';
import { overlaps } from '#kernel/time/intervals.ts';
import type { noticeDetails, noticeKinds } from './contract.ts';

type NoticeKind = (typeof noticeKinds)[number];
type NoticeDetails = z.output<typeof noticeDetails>;

/** Something that is so, whether or not there is a row about it. */
export interface Fact {
  kind: NoticeKind;
  subject: string;
  details: NoticeDetails;
}

type Told = Pick<Fact, 'kind' | 'details'>;

export const isOfBooking = ({ kind }: Pick<Fact, 'kind'>) =>
  kind.startsWith('booking-') || kind === 'requested' || kind === 'booked' || kind === 'cancelled';

/** Where a notice is mended. */
export function placeOf({ kind, details }: Told): { to: string; search?: Record<string, string> } {
  const [event] = details.events ?? [];
  if (kind === 'conflict' && event) return { to: '/calendar', search: { day: event.day, event: event.event_id } };
  if (details.booking_id) return { to: '/meetings', search: { booking: details.booking_id } };
  if (kind === 'edit' || kind === 'conflict') return { to: '/calendar' };
  if (details.question) return { to: '/meetings', search: { booking: details.question.booking_id } };
  if (kind === 'invitation') return { to: '/team' };
  if (kind === 'panel') return { to: '/booking-links' };
  if (kind === 'mirrors') return { to: '/meetings', search: { tab: 'mirrors', status: 'failed' } };
  return { to: kind === 'breaker' ? '/integrations/mirrors' : '/integrations' };
}

/** Which text of `inbox.kind` says it, and what is filled in. */
export function wordsFor({ kind, details }: Told): { key: string; values: Record<string, string | number> } {
  const [one, other] = details.events ?? [];
  const { question } = details;
  const isBundle = kind === 'conflict' && details.count !== undefined;
  const values = {
    account: details.account,
    calendar: details.calendar,
    target: details.target,
    team: details.team,
    inviter: details.inviter,
    title: details.title,
    one: isBundle ? one?.calendar : one?.title,
    other: isBundle ? other?.calendar : (other?.title ?? question?.in_the_way?.title),
    guest: question?.guests.join(', ') ?? details.guest,
    count: details.count ?? 0,
  };
  return {
    key: isBundle ? 'conflicts' : kind === 'invitation' && details.inviter === undefined ? 'asked' : kind,
    values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<
      string,
      string | number
    >,
  };
}

/** An instance that blocks time; half-open, epoch ms. */
export interface Blocking {
  itemId: string;
  eventId: string;
  calendarId: string;
  title: string;
  startMs: number;
  endMs: number;
}

/** Further conflicts are no news to somebody who has so many. */
const mostConflicts = 1_000;
const mostConflictNotices = 30;
/** More conflicts of the same two calendars are one notice: a new calendar can overlap on every day. */
const mostOfTwoCalendars = 3;

/**
 * Pairs that overlap in different calendars, each pair of items once, at its next instance; in order of time. The same
 * event in two calendars (one title, one time) is no conflict with itself.
 */
export function findConflictingPairs(events: readonly Blocking[]): [Blocking, Blocking][] {
  const sorted = events
    .filter((event) => event.startMs < event.endMs)
    .toSorted((one, other) => one.startMs - other.startMs || (one.eventId < other.eventId ? -1 : 1));
  const pairs = new Map<string, [Blocking, Blocking]>();
  let open: Blocking[] = [];
  for (const event of sorted) {
    open = open.filter((other) => overlaps(other, event));
    for (const other of open) {
      if (other.calendarId === event.calendarId || isSame(other, event)) continue;
      const subject = subjectOf(other, event);
      if (!pairs.has(subject)) pairs.set(subject, [other, event]);
      if (pairs.size >= mostConflicts) return [...pairs.values()];
    }
    open.push(event);
  }
  return [...pairs.values()];
}

/** The conflicts of each notice, in order of time: one, or more than three of the same two calendars. */
export function bundleConflicts(pairs: readonly [Blocking, Blocking][]): [Blocking, Blocking][][] {
  const ofTwo = Map.groupBy(pairs, calendarsOf);
  const isMany = (of: readonly unknown[] | undefined) => of !== undefined && of.length > mostOfTwoCalendars;
  return pairs
    .flatMap((pair) => {
      const all = ofTwo.get(calendarsOf(pair));
      return isMany(all) ? (all?.[0] === pair ? [all] : []) : [[pair]];
    })
    .slice(0, mostConflictNotices);
}

/** Names two calendars whichever event begins first. */
export const calendarsOf = ([one, other]: readonly [Blocking, Blocking]) =>
  [one.calendarId, other.calendarId].sort().join(' ');

/** Names two items whichever begins first. */
export const subjectOf = (one: Blocking, other: Blocking) => [one.itemId, other.itemId].sort().join(' ');

const isSame = (one: Blocking, other: Blocking) =>
  one.title === other.title && one.startMs === other.startMs && one.endMs === other.endMs;

/** The outcome of one call: a status, not sent, or unknown. */
export type Answer =
  | { kind: 'status'; status: number; waitMs: number | undefined }
  | { kind: 'not-sent'; isForbidden: boolean }
  | { kind: 'unknown' };

/** refused counts against the device; gone removes it. */
type Verdict =
  | { is: 'sent' | 'gone' }
  | { is: 'failed' | 'refused'; error: string }
  | { is: 'again'; error: string; afterMs: number };

/** 30 s, 2 min, 8 min, 32 min, or what the service asks for. */
const mostAttempts = 5;
const firstDelayMs = 30_000;
const longestDelayMs = 3_600_000;

/**
 * The outcome of an attempt. It is repeated only if the service refused it temporarily or could not be reached. An unknown
 * outcome is never repeated: a missing push is still in the bell, and a double one is a nuisance. Source: RFC 8030 5 and 8.4.
 */
export function decidePush(answer: Answer, { attempts, leftMs }: { attempts: number; leftMs: number }): Verdict {
  if (answer.kind === 'unknown') return { is: 'failed', error: 'nobody knows whether it was sent' };
  if (answer.kind === 'not-sent' && answer.isForbidden) return { is: 'refused', error: 'its address is not called' };
  const status = answer.kind === 'status' ? answer.status : 0;
  if (status >= 200 && status < 300) return { is: 'sent' };
  if (status === 404 || status === 410) return { is: 'gone' };
  const error = status === 0 ? 'nobody was there' : `answered ${status}`;
  if (status > 0 && status < 500 && status !== 429) return { is: 'refused', error };
  const asked = answer.kind === 'status' ? (answer.waitMs ?? 0) : 0;
  const afterMs = Math.min(Math.max(firstDelayMs * 4 ** (attempts - 1), asked), longestDelayMs);
  if (attempts >= mostAttempts || afterMs >= leftMs) return { is: 'failed', error };
  return { is: 'again', error, afterMs };
}
