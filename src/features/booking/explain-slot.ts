import { findAbsence } from '#features/availability/public.ts';
import { listPending } from '#features/calendar/pending/public.ts';
import { listViewSpans } from '#features/calendar/public.ts';
import { listCalendars } from '#features/connections/public.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { EventTypeId, UserId } from '#kernel/ids.ts';
import { decideSlot, type SlotReason } from '#kernel/slots/decide-slot.ts';
import { listSlots } from '#kernel/slots/list-slots.ts';
import { nearestSlots } from '#kernel/slots/nearest-slots.ts';
import type { SlotQuestion } from '#kernel/slots/slot-question.ts';
import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import { overlaps, type Span } from '#kernel/time/intervals.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { listHostsOf } from './list-hosts-of.ts';
import { loadSlotQuestion } from './load-slot-question.ts';
import { loadType } from './load-type.ts';
import { readSeat } from './rules/seat-hosts.ts';
import type { slotEndpoints } from './rules/slot-endpoints.ts';
import { whoFor } from './rules/type-hosts.ts';
import { listTitles } from './store/appointment-facts.ts';
import type { EventType } from './store/event-type-rows.ts';

type Answer = Output<(typeof slotEndpoints)['explainSlot']>;
type Explained = Answer['reasons'][number];
type Named = Omit<Explained, 'host' | 'absence'>;

/** So far around the time another one is looked for. */
const reachMs = 14 * dayMs;
const mostEvents = 20;

/**
 * Why a time of an own event type can be booked, or everything that is in the way, by the very question that decides it for
 * guests; what is in the way with its name, since it is its person who asks. At most fifteen queries.
 * *Errors*: AppError not-found, invalid (DURATION).
 */
export async function explainSlot(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  actor: Actor,
  asked: { event_type_id: EventTypeId; at: number; duration?: number | undefined },
): Promise<Answer> {
  const type = await loadType(db, actor, asked.event_type_id, 'see-team');
  const durations = type.settings.durations_minutes;
  const duration = asked.duration ?? durations[0] ?? 0;
  if (!durations.includes(duration)) {
    throw new AppError('invalid', 'DURATION', `Choose one of these durations in minutes: ${durations.join(', ')}.`);
  }
  const range = { startMs: asked.at - reachMs, endMs: asked.at + reachMs };
  const nowMs = clock.nowMs();
  const { question } = await loadSlotQuestion(db, { type, link: null, range, durationMinutes: duration, nowMs });
  const decision = decideSlot(question, asked.at);
  const meeting = { startMs: asked.at, endMs: asked.at + duration * minuteMs };
  return {
    at: asked.at,
    title: type.title,
    duration,
    zone: question.zone,
    bookable: decision.ok,
    reasons: decision.ok ? [] : await nameReasons(db, actor, type, question, decision.reasons, meeting),
    nearest: nearestSlots(listSlots(question), asked.at, 3),
  };
}

/**
 * Lists each reason once, for a team once per host. Busy time is replaced with the event behind it. Times of other
 * people show only when, without a title.
 */
async function nameReasons(
  db: App['db'],
  actor: Actor,
  type: EventType,
  question: SlotQuestion,
  all: readonly SlotReason[],
  meeting: Span,
): Promise<Explained[]> {
  const isTeam = type.teamId !== null;
  const present = new Set(type.hosts.map((host) => whoFor(host, meeting.startMs)));
  // absent hosts, and stand-ins at another time, are left out
  const reasons = all.filter((reason) => !('host' in reason) || !isTeam || present.has(readSeat(reason.host).userId));
  const hostOf = (reason: SlotReason) => ('host' in reason ? readSeat(reason.host).userId : null);
  const people = isTeam ? await listHostsOf(db, [...present]) : [];
  const nameOf = (id: UserId | null) => people.find(({ userId }) => userId === id)?.name ?? null;
  const taken = reasons.filter((reason) => 'span' in reason);
  const own = taken.filter((reason) => !isTeam || hostOf(reason) === actor.userId);
  const busy = own.filter(({ kind }) => kind === 'busy');
  const blocks = own.filter(({ kind }) => kind !== 'busy');
  const [events, bookings] = await Promise.all([
    busy.length === 0 ? [] : nameBusy(db, actor, busy, meeting),
    blocks.length === 0 ? [] : nameBlocks(db, blocks, meeting),
  ]);
  const self = nameOf(actor.userId);
  const isOwnHours = (reason: SlotReason) =>
    reason.kind === 'outside-hours' && (!isTeam || hostOf(reason) === actor.userId);
  const absence = reasons.some(isOwnHours) ? await nameAbsence(db, actor, type, question, meeting) : null;
  const plain = new Map(
    reasons.filter((reason) => !('span' in reason)).map((reason) => [`${reason.kind} ${hostOf(reason)}`, reason]),
  );
  return [
    ...[...plain.values()].map((reason) => ({
      kind: reason.kind,
      host: nameOf(hostOf(reason)),
      in_the_way: null,
      absence: isOwnHours(reason) ? absence : null,
      with_buffers: false,
    })),
    ...[...events, ...bookings].map((one) => ({ ...one, host: self, absence: null })),
    ...taken
      .filter((reason) => !own.includes(reason))
      .map((reason) => ({
        kind: reason.kind,
        host: nameOf(hostOf(reason)),
        in_the_way: {
          title: null,
          calendar_name: null,
          event_id: null,
          start_time: reason.span.startMs,
          end_time: reason.span.endMs,
        },
        absence: null,
        with_buffers: !overlaps(reason.span, meeting),
      })),
  ];
}

/** The caller's day off, holiday or journey of that day. Not where special hours replace a day off. */
async function nameAbsence(
  db: App['db'],
  actor: Actor,
  type: EventType,
  question: SlotQuestion,
  meeting: Span,
): Promise<Explained['absence']> {
  const host = question.hosts.find(({ id }) => type.teamId === null || readSeat(id).userId === actor.userId);
  const found = host === undefined ? null : await findAbsence(db, actor.userId, meeting.startMs, question.zone);
  const isOpened = host?.open.some(
    ({ startMs }) => found !== null && found.startMs <= startMs && startMs < found.endMs,
  );
  if (found === null || (found.kind !== 'travel' && isOpened === true)) return null;
  return { kind: found.kind, name: found.name };
}

type Meets = Extract<SlotReason, { span: Span }>;

async function nameBusy(db: App['db'], actor: Actor, busy: readonly Meets[], meeting: Span): Promise<Named[]> {
  const [first] = busy;
  if (first === undefined) return [];
  const calendars = await listCalendars(db, actor.userId);
  const nameOf = new Map(calendars.map(({ id, name }) => [id, name]));
  const range = { fromMs: first.with.startMs, toMs: first.with.endMs, limit: mostEvents };
  const [{ shown }, pending] = await Promise.all([
    listViewSpans(db, actor.userId, [...nameOf.keys()], range),
    listPending(db, actor.userId, range),
  ]);
  const events = [
    ...shown.map((event) => ({ ...event, title: event.core?.title })),
    ...pending.map((event) => ({ ...event, title: event.title })),
  ];
  const isTaken = (event: Span) =>
    busy.some(({ span }) => span.startMs === event.startMs && span.endMs === event.endMs);
  return events.filter(isTaken).map((event) => ({
    kind: 'busy',
    in_the_way: {
      title: event.title ?? 'Untitled',
      calendar_name: nameOf.get(event.calendarId) ?? '',
      event_id: event.recId === '' ? event.itemId : `${event.itemId}_${event.recId}`,
      start_time: event.startMs,
      end_time: event.endMs,
    },
    with_buffers: !overlaps(event, meeting),
  }));
}

async function nameBlocks(db: App['db'], blocks: readonly Meets[], meeting: Span): Promise<Named[]> {
  const titles = await listTitles(
    db,
    blocks.flatMap(({ span: { id } }) => (id === undefined ? [] : [id])),
  );
  return blocks.map(({ kind, span }) => ({
    kind,
    in_the_way: {
      title: titles.get(span.id ?? '') ?? '',
      calendar_name: null,
      event_id: null,
      start_time: span.startMs,
      end_time: span.endMs,
    },
    with_buffers: !overlaps(span, meeting),
  }));
}
