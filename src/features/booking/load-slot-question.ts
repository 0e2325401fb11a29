import { dayBeforeMs, openHoursReading } from '#features/availability/public.ts';
import { busyTimeReading, readyUntil } from '#features/calendar/public.ts';
import { unreadOwnersReading } from '#features/connections/public.ts';
import type { AppointmentId, BookingId, ItemId, UserId } from '#kernel/ids.ts';
import type { SlotHost, SlotQuestion } from '#kernel/slots/slot-question.ts';
import { dayMs, hourMs, minuteMs } from '#kernel/time/civil.ts';
import { normalizeSpans, type Span } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';
import { known, type Reading, readTogether } from '#platform/reading.ts';
import { neededSeats, seatHosts, withStandIns } from './rules/seat-hosts.ts';
import { startWindow } from './rules/start-window.ts';
import type { StandIn } from './rules/type-hosts.ts';
import type { TypeSettings } from './rules/type-settings.ts';
import type { EventType } from './store/event-type-rows.ts';
import type { BookingLink } from './store/links.ts';
import { countedReading, groupsReading, listItemsOf, takenTimeReading } from './store/taken-time.ts';

export interface SlotsAsked {
  type: EventType;
  /** The link that led here; of the kind `times` it has starts and a length of its own. */
  link: BookingLink | null;
  /** Range of starts. */
  range: Span;
  durationMinutes: number;
  nowMs: number;
  /** Being moved: its own time is not in the way. */
  without?: AppointmentId | null;
  /** The held seat of the guest who asks, in a group. */
  withoutHold?: BookingId | null;
  /** The number of people, guests who are brought included; one unless given. */
  people?: number;
  /** Hosts of the time; those of the event type unless given. */
  hosts?: readonly HostAsked[];
  /** Read in the same statement. */
  stands?: Reading<boolean> | undefined;
}

export interface HostAsked {
  userId: UserId;
  policy: TypeSettings['policy'];
  optional?: boolean;
  standIns?: readonly StandIn[];
}

export interface LoadedSlots {
  question: SlotQuestion;
  /** Result of `stands`; true without it. */
  stands: boolean;
  /** Per host, what allowed its hours, from `fromMs` until the next. */
  versions: Map<string, { fromMs: number; policyId: string | null; n: number }[]>;
}

/** How far from a start others can lie that its limit counts together with it. */
const periodMs = { day: dayBeforeMs, week: 7 * dayMs + hourMs, month: 31 * dayMs + hourMs };

/**
 * All that decides which starts of an event type can be booked, as the engine takes it. One query, or two, whatever the
 * number of hosts and calendars; the same for what is offered, accepted and explained.
 */
export async function loadSlotQuestion(db: Database, asked: SlotsAsked): Promise<LoadedSlots> {
  const { type, link, range, nowMs, without = null } = asked;
  const { settings } = type;
  const calendarIds = settings.blocking_calendar_ids;
  const { on_stale: onStale, stale_after_minutes: staleAfterMinutes } = settings.freshness;
  const durationMs = (link?.durationMinutes ?? asked.durationMinutes) * minuteMs;
  const bufferBeforeMs = settings.buffer_before_minutes * minuteMs;
  const bufferAfterMs = settings.buffer_after_minutes * minuteMs;
  const seats: readonly HostAsked[] = asked.hosts ?? type.hosts.map((host) => ({ ...host, policy: settings.policy }));
  const hosts = withStandIns(seats);
  const hostIds = hosts.map(({ userId }) => userId);
  // a start counts by the hours of its own time, and needs no former versions
  const hours = { startMs: range.startMs - dayBeforeMs, endMs: range.endMs + durationMs, sinceMs: range.startMs };
  const taken = { startMs: range.startMs - bufferBeforeMs, endMs: range.endMs + durationMs + bufferAfterMs };
  const groupsOf = settings.seats > 1 ? type.id : null;

  const countedIn = countedRange(asked);

  const withoutItems = await listOwnEvents(db, asked);
  const [openHours, busyOf, blocks, groups, counted, unread, stands] = await readTogether(db, [
    openHoursReading(db, hosts, hours, nowMs),
    busyTimeReading(
      hostIds,
      { fromMs: taken.startMs, toMs: taken.endMs },
      { holds: { upTo: settings.rank, nowMs }, calendarIds, withoutItems },
    ),
    takenTimeReading(hostIds, taken, { nowMs, without, groupsOf }),
    groupsOf === null
      ? known([])
      : groupsReading(groupsOf, taken, { nowMs, without, withoutHold: asked.withoutHold ?? null }),
    countedIn === null ? known([]) : countedReading(type.id, countedIn, { nowMs, without }),
    onStale === 'block'
      ? unreadOwnersReading(hostIds, { calendarIds, beforeMs: nowMs - staleAfterMinutes * minuteMs })
      : known([]),
    asked.stands ?? known(true),
  ]);

  const zone = openHours[0]?.zone ?? 'UTC';
  const starts = link?.starts?.toSorted((a, b) => a - b);
  // the hours of a link with hand-picked times are those times
  const picked = starts && normalizeSpans(starts.map((startMs) => ({ startMs, endMs: startMs + durationMs })));
  const isUnread = new Set(unread);
  const blocksOf = byHost(blocks, ({ hostId }) => [hostId]);
  const groupsOfHost = byHost(groups, (group) => group.hostIds);
  const countedOf = byHost(counted, ({ hostIds: ids }) => ids);
  return {
    stands,
    versions: new Map(openHours.map(({ userId, versions }) => [userId, versions])),
    question: {
      range,
      nowMs,
      zone,
      hosts: seatHosts(
        seats,
        openHours.map(
          ({ userId, spans, hours: changing }, n): SlotHost => ({
            id: userId,
            open: picked ?? spans,
            hours: picked ? undefined : changing,
            busy: busyOf.get(userId) ?? [],
            blocks: (blocksOf.get(userId) ?? []).map(named),
            sessions: (groupsOfHost.get(userId) ?? []).map(named),
            counted: countedOf.get(userId) ?? [],
            optional: hosts[n]?.optional,
            stale: isUnread.has(userId),
          }),
        ),
      ),
      shape: shapeOf[type.kind],
      quorum: type.kind === 'collective' ? neededSeats(seats, settings.quorum) : undefined,
      durationMs,
      people: asked.people,
      stepMs: settings.step_minutes * minuteMs,
      bufferBeforeMs,
      bufferAfterMs,
      noticeMs: settings.notice_minutes * minuteMs,
      window: knownPart(startWindow(settings.window, zone, nowMs), nowMs),
      limits: settings.limits,
      only: starts,
      paused: settings.paused,
    },
  };
}

const shapeOf = {
  'one-on-one': 'one',
  group: 'group',
  collective: 'collective',
  'round-robin': 'round-robin',
} as const;

/** Beyond it nobody knows yet what repeats then. */
function knownPart(window: Span, nowMs: number): Span {
  return { startMs: window.startMs, endMs: Math.min(window.endMs, readyUntil(nowMs)) };
}

/** The events of a group, or of what is being moved: they stand in the calendar too, and are not in their own way. */
async function listOwnEvents(db: Database, { type, without = null, nowMs }: SlotsAsked): Promise<ItemId[]> {
  const groupsOf = type.settings.seats > 1 ? type.id : null;
  if (groupsOf === null && without === null) return [];
  return listItemsOf(db, { appointmentId: without, groupsOf, nowMs });
}

/** The starts that count together with those asked about; null where nothing is counted. */
function countedRange({ type: { settings }, range }: SlotsAsked): Span | null {
  const { day, week, month } = settings.limits;
  const reachMs = month ? periodMs.month : week ? periodMs.week : day ? periodMs.day : null;
  return reachMs === null ? null : { startMs: range.startMs - reachMs, endMs: range.endMs + reachMs };
}

function byHost<Row>(rows: readonly Row[], hostsOfRow: (row: Row) => readonly string[]): Map<string, Row[]> {
  const lists = new Map<string, Row[]>();
  for (const row of rows) {
    for (const host of hostsOfRow(row)) {
      const list = lists.get(host);
      if (list === undefined) lists.set(host, [row]);
      else list.push(row);
    }
  }
  return lists;
}

const named = <Row extends { appointmentId: AppointmentId }>(row: Row) => ({ ...row, id: row.appointmentId });
