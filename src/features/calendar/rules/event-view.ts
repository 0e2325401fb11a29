import type * as z from 'zod/mini';
import type { HoldRankOf } from '#features/availability/rules/hold-rules.ts';
import {
  type Core,
  type EventBody,
  isSeries,
  masterOf,
  type Provenance,
  type SelfResponse,
  type When,
} from '#kernel/event.ts';
import type { CalendarId, ItemId } from '#kernel/ids.ts';
import type { Occurrence } from '#kernel/recurrence/occurrences.ts';
import { isNamedZone } from '#kernel/time/event-zone.ts';
import { printInstant } from '#kernel/time/local.ts';
import type { eventShape } from '../contract.ts';
import { audienceOf, type OwnSide } from './audience.ts';
import { type BusyClass, busyClassOf } from './busy-class.ts';
import { listedNotes } from './listed-notes.ts';
import { isInPart, unresolvedZone, warningsIn } from './reading-warning.ts';

export type EventView = z.output<typeof eventShape>;

/** A calendar as its events are shown with it. */
export interface CalendarFace {
  /** The specification's word of its provider. */
  provider: string;
  badge: string;
  writable: boolean;
  /** Whether its account works. */
  connected: boolean;
  /** Where an event of it is opened in its provider's own web application. */
  openUrl(itemRef: string, recId: string): string | null;
}

/** The person who looks at the events. */
export interface Onlooker {
  ownerZone: string;
  own: OwnSide;
}

/** One instance with everything that a screen shows of it. */
export interface Shown {
  itemId: ItemId;
  calendarId: CalendarId;
  ref: string;
  recId: string;
  startMs: number;
  endMs: number;
  allDay: boolean;
  class: BusyClass;
  provenance: Provenance;
  recurring: boolean;
  hash: string;
  /** Warnings of its reading, a line each. */
  problem: string | null;
  body: EventBody['kind'];
  core: Core | null;
  when: When | null;
}

/** An event as far as its instances are shown. */
export type ShownItem = Pick<Shown, 'itemId' | 'calendarId' | 'ref' | 'provenance' | 'hash' | 'problem'> & {
  body: EventBody;
};

/** An instance that was expanded just now. */
export function shownOf(item: ShownItem, one: Occurrence, holdRank: HoldRankOf): Shown {
  const { itemId, calendarId, ref, provenance, hash, problem, body } = item;
  const { recId, startMs, endMs, allDay, core } = one;
  const when = one.when ?? masterOf(body)?.when ?? null;
  return {
    itemId,
    calendarId,
    ref,
    provenance,
    hash,
    problem,
    recId,
    startMs,
    endMs,
    allDay,
    core,
    when,
    class: busyClassOf(core, { allDay, provenance, lengthMs: endMs - startMs, holdRank: holdRank(core) }),
    recurring: isSeries(body),
    body: body.kind,
  };
}

/** Why an event cannot be edited here; null where it can. The first reason that nobody can help against is told. */
export function notEditable(
  event: Pick<Shown, 'provenance' | 'body'> & { core: Pick<Core, 'self' | 'kind'> | null },
  face: Pick<CalendarFace, 'writable' | 'connected'>,
): EventView['not_editable_reason'] {
  if (event.provenance === 'own') return 'block';
  if (!face.writable) return 'read-only';
  if ((event.body !== 'single' && event.body !== 'series') || event.core === null) return 'unreadable';
  // a provider makes them of its contacts, and takes no changes
  if (event.core.kind === 'birthday') return 'read-only';
  if (event.core.self !== 'none' && event.core.self !== 'organizer') return 'invited';
  return face.connected ? null : 'reconnect';
}

const isAnswer = (self: SelfResponse | undefined): self is NonNullable<EventView['answer']> =>
  self !== undefined && self !== 'none' && self !== 'organizer';

/** Names the content of an item to those who edit it. */
export const versionOf = (hash: string) => hash.slice(0, 20);

export const eventIdOf = (itemId: string, recId: string) => (recId === '' ? itemId : `${itemId}_${recId}`);

export function eventView(event: Shown, face: CalendarFace, { ownerZone, own }: Onlooker): EventView {
  const { core, allDay } = event;
  const self = core?.self;
  const day = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ownerZone).toPlainDate().toString();
  const reason = notEditable(event, face);
  const zoneWarning = event.problem === null ? null : unresolvedZone(warningsIn(event.problem));
  return {
    event_id: eventIdOf(event.itemId, event.recId),
    item_id: event.itemId,
    calendar_id: event.calendarId,
    title: core?.title ?? 'Untitled',
    start_time: printInstant(event.startMs),
    end_time: printInstant(event.endMs),
    all_day: allDay,
    start_date: allDay ? day(event.startMs) : null,
    end_date: allDay ? day(event.endMs) : null,
    zone: event.when?.kind === 'zoned' && isNamedZone(event.when.zone) ? event.when.zone : null,
    ...(zoneWarning === null ? {} : { zone_warning: zoneWarning }),
    ...(isInPart(event.problem) ? { read_in_part: true as const } : {}),
    class: event.class,
    tentative: core?.busy === 'tentative' || core?.self === 'tentative' || core?.self === 'needs-action',
    ...(core?.self === 'needs-action' ? { unanswered: true as const } : {}),
    ...(reason === 'invited' && face.connected && isAnswer(self) ? { answer: self } : {}),
    ...(core?.kind === 'focus' ? { focus: true as const } : {}),
    declined: core?.self === 'declined',
    private: core?.private ?? false,
    recurring: event.recurring,
    attendees: core?.attendees?.map((attendee) => attendee.name ?? attendee.email) ?? [],
    audience: audienceOf(core?.attendees ?? [], own),
    description: listedNotes(core?.notes ?? ''),
    location: core?.location ?? '',
    meeting_link: core?.joinUrl ?? null,
    provider: face.provider,
    calendar_badge: face.badge,
    is_holdfast_block: event.provenance === 'own',
    version: versionOf(event.hash),
    editable: reason === null,
    not_editable_reason: reason,
    open_url: face.openUrl(event.ref, event.recId),
  };
}
