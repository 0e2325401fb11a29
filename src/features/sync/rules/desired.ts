import type { HoldRankOf, Rank } from '#features/availability/rules/hold-rules.ts';
import type { Core, EventBody, RecId, Series, When } from '#kernel/event.ts';
import { eventLimits, masterOf } from '#kernel/event.ts';
import { canonicalJson, contentHashOf } from '#kernel/event-hash.ts';
import { normaliseBody } from '#kernel/ical/normalise-body.ts';
import type { CalendarId, ConnectionId, ItemId } from '#kernel/ids.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { durationFrom, usualMs } from '#kernel/time/duration.ts';
import { parseLocal } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { type Sliced, withoutPause } from '#kernel/work-budget.ts';
import type { MirrorBody, SeriesShape } from '#providers/port.ts';
import type { OriginLabels } from './block-core.ts';
import { blockCore } from './block-core.ts';
import { blockOfBusyHours, touchesHours } from './hours.ts';
import type { MirrorRule } from './mirror-rule.ts';
import { changedInstances } from './punch-out.ts';
import { firstRefusal, type Refusal } from './refusals.ts';
import { shapeIn } from './series-shape.ts';
import type { Window } from './window.ts';

/** An item as the planner sees it. */
export interface Origin extends OriginLabels {
  itemId: ItemId;
  calendarId: CalendarId;
  /** UID, or the provider's ref where there is none: what a mirror is filed under. */
  uid: string;
  body: EventBody;
  gone: boolean;
  /** One of our own blocks: never mirrored, or blocks would beget blocks. */
  own: boolean;
  tooDense: boolean;
  calendarZone: string;
  ownerZone: string;
}

/** One direction of a group with the rule in force and what its target can hold. */
export interface Pair {
  targetCalendarId: CalendarId;
  targetConnectionId: ConnectionId;
  /** The target's own addresses, lower case: an origin that invites one of them stands there already. */
  targetAddresses: string[];
  series: SeriesShape;
  rule: MirrorRule;
  /** Which events of the source are holds. */
  holdRank: HoldRankOf;
  /** Items that were made as holds here. */
  made?: ReadonlyMap<string, Rank>;
  window: Window;
  /** Instances that stand one by one stand up to here, the window before it: an endless series has to end somewhere. */
  horizonMs: number;
  /** The part of `eventRoom` that one event has in this target. */
  room: BlockRoom;
}

/** A number of blocks, and the characters of their texts together. */
export interface BlockRoom {
  blocks: number;
  chars: number;
}

/**
 * Everything that the dates of one event may write, over all targets. A daily event fits 52 times. Each date is a block
 * with a text of its own in the database and at the provider.
 */
const eventRoom: BlockRoom = { blocks: 40_000, chars: 64_000_000 };

/** The part of one target. Every target has the same, so an event is written in all of them or in none. */
export const roomAmong = (targets: number): BlockRoom => ({
  blocks: Math.floor(eventRoom.blocks / targets),
  chars: Math.floor(eventRoom.chars / targets),
});

/** Why nothing shall stand. Only `gone` and `not-busy` count for the breaker: the rest are somebody's decisions. */
export type SkipReason = Refusal | 'gone' | 'out-of-window' | 'not-understood' | 'too-dense' | 'hours';

/** A block that shall stand in a target: the whole event (`recId` '') or one instance of it. */
export interface DesiredBlock {
  recId: RecId | '';
  /** Blocks of one event share the text of its details. */
  body: MirrorBody;
  /** The length of its canonical JSON, which its row keeps. The text is made when it is written. */
  chars: number;
  hash: string;
  nearMs: number;
}

export interface Desired {
  blocks: DesiredBlock[];
  /** Why there is no block at all. */
  skipped: SkipReason | null;
  /** Why single instances have none, by their names; without those that a rule has put outside the window. */
  refused: ReadonlyMap<string, SkipReason>;
}

/**
 * Which blocks shall stand in one target for one origin: none where its dates exceed their room, and without place and
 * description where its text does. Pure. A series stays a series where the target can hold it and
 * the rule treats all its instances alike; else every instance in the window is a block of its own, named by its RecId,
 * so that a moved instance keeps its block. Where the target holds series without exceptions, changed instances are
 * such blocks beside it, and taken out of it.
 */
export function* planBlocks(origin: Origin, direction: Pair, nowMs: number): Sliced<Desired> {
  const pair = pairFor(direction, origin.itemId);
  const { body } = origin;
  if (origin.gone || origin.own) return nothing('gone');
  if (body.kind === 'withheld') return nothing('not-understood');
  if (origin.tooDense) return nothing('too-dense');
  if (body.kind === 'single') return yield* eachInstance(origin, body, pair, nowMs);
  const shape = body.kind === 'series' ? shapeIn(body, pair) : 'expanded';
  const near = { ...pair, window: { ...pair.window, toMs: Math.min(pair.window.toMs, pair.horizonMs) } };
  if (body.kind !== 'series' || shape === 'expanded') return yield* eachInstance(origin, body, near, nowMs);
  const masterRefused = isEmpty(body.when) ? 'not-busy' : firstRefusal(body.core, body.when, pair);
  // the master does not block: only changed instances that do are mirrored, each on its own
  if (masterRefused !== null) return yield* eachInstance(origin, body, near, nowMs, masterRefused);
  return shape === 'native' ? wholeSeries(origin, body, pair, nowMs) : yield* punchedOut(origin, body, pair, nowMs);
}

/** `planBlocks` without a pause. */
export const desiredBlocks = (origin: Origin, pair: Pair, nowMs: number): Desired =>
  withoutPause(planBlocks(origin, pair, nowMs));

/** A direction as it is for one item: what was made as a hold is one. */
export function pairFor<P extends Pick<Pair, 'holdRank' | 'made'>>(pair: P, itemId: ItemId): P {
  const rank = pair.made?.get(itemId);
  return rank === undefined ? pair : { ...pair, holdRank: () => rank };
}

const nothing = (skipped: SkipReason): Desired => ({ blocks: [], skipped, refused: new Map() });

/** One object, its exceptions in it. */
function wholeSeries(origin: Origin, body: Series, pair: Pair, nowMs: number): Desired {
  const exdates = new Set(body.exdates);
  const overrides: Series['overrides'] = {};
  for (const [recId, override] of Object.entries(body.overrides)) {
    if (!isEmpty(override.when) && firstRefusal(override.core, override.when, pair) === null) {
      overrides[recId] = { when: override.when, core: blockCore(override.core, pair.rule, origin) };
    } else {
      exdates.add(recId);
    }
  }
  return asSeries(origin, { ...body, exdates: [...exdates].sort(), overrides }, pair, nowMs);
}

/** One object without exceptions, and a block of its own for each instance that is not as the series says. */
function* punchedOut(origin: Origin, body: Series, pair: Pair, nowMs: number): Sliced<Desired> {
  const told = (core: Core) => canonicalJson(blockCore(core, pair.rule, origin));
  const usual = told(body.core);
  const alike = ({ when, core }: Series['overrides'][RecId]) =>
    !isEmpty(when) && firstRefusal(core, when, pair) === null && told(core) === usual;
  const list = changedInstances(body, alike, origin.calendarZone, origin.ownerZone);
  const exdates = [...new Set([...body.exdates, ...Object.keys(list)])].sort();
  const whole = asSeries(origin, { ...body, exdates, overrides: {} }, pair, nowMs);
  if (whole.skipped === 'too-dense') return whole;
  const singles = yield* eachInstance(origin, { kind: 'instances', of: '', from: 0, to: 0, list }, pair, nowMs);
  if (singles.skipped === 'too-dense') return singles;
  const blocks = [...whole.blocks, ...singles.blocks];
  return { blocks, skipped: blocks.length > 0 ? null : singles.skipped, refused: singles.refused };
}

/** `body` with exceptions that say already what their blocks shall. */
function asSeries(origin: Origin, body: Series, pair: Pair, nowMs: number): Desired {
  const mirror: Series = {
    kind: 'series',
    when: body.when,
    core: blockCore(body.core, pair.rule, origin),
    rules: body.rules,
    exRules: body.exRules,
    extraDates: body.extraDates,
    exdates: body.exdates,
    overrides: body.overrides,
  };
  const inWindow = occurrencesOf(mirror, origin.calendarZone, origin.ownerZone, pair.window, limits);
  if (inWindow.tooDense) return nothing('too-dense');
  if (inWindow.list.length === 0) return nothing('out-of-window');
  const block = blockOf('', resolveFloating(mirror, origin), nearest(inWindow.list, nowMs));
  return { blocks: [block], skipped: null, refused: new Map() };
}

/** Takes no time, and a block of it would: an all-day object has a day at least. */
function isEmpty(when: When): boolean {
  if (when.kind === 'all-day') return when.end <= when.start;
  return usualMs(when.duration) <= 0;
}

const limits = { instances: eventLimits.instances, steps: eventLimits.steps };

function* eachInstance(
  origin: Origin,
  body: Exclude<EventBody, { kind: 'withheld' }>,
  pair: Pair,
  nowMs: number,
  already: SkipReason | null = null,
): Sliced<Desired> {
  const { rule, window, room } = pair;
  const { list, tooDense } = occurrencesOf(body, origin.calendarZone, origin.ownerZone, window, limits);
  if (tooDense) return nothing('too-dense');
  yield;
  const blocks: DesiredBlock[] = [];
  const cores = new Map<Core, Core>();
  let chars = 0;
  const refused = new Map<string, SkipReason>();
  let skipped: SkipReason | null = already ?? (list.length === 0 ? 'out-of-window' : null);
  for (const occurrence of list) {
    const when = occurrence.when ?? whenOf(occurrence, body, origin);
    const reason = occurrence.endMs <= occurrence.startMs ? 'not-busy' : firstRefusal(occurrence.core, when, pair);
    const placed = reason === null ? place(when, occurrence, rule, origin) : null;
    if (placed === null) {
      skipped = reason ?? 'hours';
      refused.set(occurrence.recId, skipped);
      yield;
      continue;
    }
    const single: MirrorBody = { kind: 'single', when: placed, core: blockCore(occurrence.core, rule, origin) };
    const block = blockOf(occurrence.recId, resolveFloating(single, origin), nearest([occurrence], nowMs));
    chars += block.chars;
    if (list.length > 1 && blocks.length >= room.blocks) return nothing('too-dense');
    if (list.length > 1 && chars > room.chars) {
      if (rule.privacy !== 'details') return nothing('too-dense');
      // blocked time matters more than its details
      const bare: Pair = { ...pair, rule: { ...rule, privacy: 'title' } };
      return yield* eachInstance(origin, body, bare, nowMs, already);
    }
    const core = cores.get(occurrence.core) ?? block.body.core;
    cores.set(occurrence.core, core);
    blocks.push({ ...block, body: { ...block.body, core } });
    yield;
  }
  const inWindow = new Set(list.map((occurrence) => occurrence.recId));
  for (const name of Object.keys(changedIn(body))) if (!inWindow.has(name)) refused.set(name, 'out-of-window');
  return { blocks, skipped: blocks.length > 0 ? null : skipped, refused };
}

/** Instances that say themselves when they are. */
function changedIn(body: EventBody): Series['overrides'] {
  if (body.kind === 'instances') return body.list;
  const master = masterOf(body);
  return master?.kind === 'series' ? master.overrides : {};
}

/** In the normal form that reading it back gives, so that a copy can be told from an edited one by its hash. */
function blockOf(recId: RecId | '', body: MirrorBody, nearMs: number): DesiredBlock {
  const normal = normaliseBody(body) as MirrorBody;
  const bodyText = canonicalJson(normal);
  return { recId, body: normal, chars: bodyText.length, hash: contentHashOf(normal, bodyText), nearMs };
}

interface Instance {
  startMs: number;
  endMs: number;
  allDay: boolean;
}

/** One instance of a series as an event of its own: an all-day one keeps its days, a timed one its instants. */
function whenOf(occurrence: Instance, body: Exclude<EventBody, { kind: 'withheld' }>, origin: Origin): When {
  if (body.kind === 'single') return body.when;
  const at = (ms: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  if (occurrence.allDay) {
    const start = at(occurrence.startMs, origin.ownerZone).toPlainDate();
    const end = at(occurrence.endMs, origin.ownerZone).toPlainDate();
    return { kind: 'all-day', start: start.toString(), end: end.toString() };
  }
  return {
    kind: 'zoned',
    start: at(occurrence.startMs, 'UTC').toPlainDateTime().toString({ smallestUnit: 'second' }),
    zone: 'UTC',
    duration: { seconds: Math.round((occurrence.endMs - occurrence.startMs) / 1000) },
  };
}

/** Where the block stands, or null where the rule's hours leave nothing of it. */
function place(when: When, occurrence: Instance, rule: MirrorRule, origin: Origin): When | null {
  if (when.kind === 'all-day' && rule.allDay === 'busy-hours') {
    return rule.hours === null ? when : blockOfBusyHours(when, rule.hours);
  }
  if (rule.hours !== null && !touchesHours(occurrence, rule.hours)) return null;
  return when.kind === 'all-day' ? when : resolveWhen(when, origin);
}

/** A floating time means the origin calendar's zone; in another calendar it would mean another one. */
function resolveFloating(body: MirrorBody, origin: Origin): MirrorBody {
  if (body.when.kind !== 'floating') return body;
  const when = resolveWhen(body.when, origin);
  if (body.kind === 'single') return { ...body, when };
  const zone = origin.calendarZone;
  const named = (recId: RecId) => recIdInUtc(recId, zone);
  return {
    ...body,
    when,
    exdates: body.exdates.map(named).sort(),
    overrides: Object.fromEntries(
      Object.entries(body.overrides).map(([recId, override]) => [
        named(recId),
        { ...override, when: resolveWhen(override.when, origin) },
      ]),
    ),
  };
}

function resolveWhen(when: When, origin: Origin): When {
  if (when.kind !== 'floating') return when;
  const { start, duration } = when;
  const zone = loadZone(origin.calendarZone) ?? utc;
  const elapsed = durationFrom(duration, parseLocal(start) ?? 0, zone);
  return { kind: 'zoned', start, zone: origin.calendarZone, duration: elapsed };
}

/** `20270308T090000` in a zone -> `20270308T080000Z`. */
function recIdInUtc(recId: RecId, zone: string): RecId {
  if (!/^\d{8}T\d{6}$/.test(recId)) return recId;
  const instant = Temporal.PlainDateTime.from(recId).toZonedDateTime(zone).toInstant();
  return instant.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
}

/** How far its nearest instance is from now: what is on or ahead first, what is past after all of that. */
function nearest(list: { startMs: number; endMs: number }[], nowMs: number): number {
  let best = Number.MAX_SAFE_INTEGER;
  for (const { startMs, endMs } of list) {
    const distance = endMs > nowMs ? Math.max(0, startMs - nowMs) : pastMs + (nowMs - endMs);
    if (distance < best) best = distance;
  }
  return best;
}

const pastMs = 1e14;
