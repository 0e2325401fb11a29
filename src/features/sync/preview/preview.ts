import type * as z from 'zod/mini';
import { listItems, listLiveIds, type PlannedItem } from '#features/calendar/public.ts';
import { isoOf } from '#features/connections/public.ts';
import { type EventBody, eventLimits, masterOf, type RecId, type Series } from '#kernel/event.ts';
import type { CalendarId, GroupId } from '#kernel/ids.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { parseLocal } from '#kernel/time/local.ts';
import { parseRecId } from '#kernel/time/rec-id.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inSlices } from '#platform/in-slices.ts';
import { inTurn } from '#platform/in-turn.ts';
import { type Allowance, takeAllowance } from '#platform/limits.ts';
import { checkGroup } from '../check-group.ts';
import { turnBlocks } from '../in-turns.ts';
import type { Pairs, World } from '../load-world.ts';
import { loadWorld, pairsOf } from '../load-world.ts';
import type { PlannedOrigin } from '../plan-items.ts';
import { originOf, originUidOf, planItems } from '../plan-items.ts';
import type { Origin } from '../rules/desired.ts';
import { nextOccurrence } from '../rules/next-instance.ts';
import type { Action } from '../rules/plan.ts';
import type { GroupInput } from '../store/groups.ts';
import { countMirrors, listLedger } from '../store/mirrors.ts';
import type { diffShape } from './contract.ts';

type Diff = z.output<typeof diffShape>;
type Row = Diff['targets'][number]['rows'][number];
type Kind = 'create' | 'update' | 'delete';
type Changes = Record<Kind, number>;

const batchItems = 500;
/** Events and series that the review names for one calendar. */
const mostRows = 200;
const pastMs = 1e14;
const draftId = 'draft' as GroupId;

/** Previews of one person. Each plans all of their events. */
const previewAllowance: Allowance = { action: 'preview of a mirror group', burst: 100, periodSeconds: 1_000 };

/**
 * Dry run: the planner over today's events and the group as it would be. Nothing is written, no provider is asked. The
 * previews of one person run one after another. *Errors*: those of `checkGroup`, LIMITED.
 */
export async function previewGroup(app: App, actor: Actor, groupId: string | null, input: GroupInput): Promise<Diff> {
  await checkGroup(app, actor, groupId, input);
  await takeAllowance(app.db, previewAllowance, actor.userId);
  return inTurn(app, `preview of ${actor.userId}`, null, () => preview(app, actor, groupId, input));
}

async function preview(app: App, actor: Actor, groupId: string | null, input: GroupInput): Promise<Diff> {
  const saved = await loadWorld(app.db, actor.userId, app.clock.nowMs());
  const world = withDraft(saved, groupId, input);
  const pairs = pairsOf(world);
  const concerned = new Set<CalendarId>([
    ...saved.members.filter((member) => member.groupId === groupId).map((member) => member.calendarId),
    ...input.members.map((member) => member.calendarId as CalendarId),
  ]);
  const changes = new Changeset(world, pairs);
  let touched = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const items = await listItems(app.db, [...concerned], { after, limit: batchItems });
    const last = items.at(-1);
    if (last === undefined) break;
    after = last.id;
    for (let left = items; left.length > 0; ) {
      const ledger = await listLedger(
        app.db,
        world.userId,
        left.map((item) => ({ itemId: item.id, calendarId: item.calendarId, uid: originUidOf(item) })),
      );
      const alive = await listLiveIds(
        app.db,
        ledger.map((row) => row.originItemId),
      );
      const plans = await inSlices(planItems(world, pairs, left, ledger, alive, turnBlocks));
      touched += await inSlices(changes.addAll(plans));
      const planned = new Set(plans.map(({ item }) => item));
      left = left.filter((item) => !planned.has(item));
    }
    if (items.length < batchItems) break;
  }
  const standing = await countMirrors(app.db, actor.userId, [...concerned]);
  const pairsChanged = [...changes.pairs.values()];
  const sum = (kind: Kind) => pairsChanged.reduce((total, pair) => total + pair[kind], 0);
  return {
    create: sum('create'),
    update: sum('update'),
    delete: sum('delete'),
    unchanged: Math.max(0, standing - touched),
    targets: changes.targetList(),
    pairs: pairsChanged,
  };
}

/** One row of the review: a single event, a whole series, or the dates of a series that have blocks of their own. */
interface Entry {
  action: Kind;
  targetId: CalendarId;
  item: PlannedItem;
  uid: string;
  /** Its earliest date. Only this one is kept: a dense event has tens of thousands. */
  first: Action;
  /** The start of `first` in its own zone: only for comparison. */
  firstMs: number;
  blocks: number;
  /** How far from now its nearest instance is: what runs or comes first, the past after all of that. */
  nearMs: number;
}

/** Counts of one target, and the entries that its review shows. */
interface Target extends Changes {
  entries: Entry[];
  rowCount: number;
}

class Changeset {
  readonly targets = new Map<CalendarId, Target>();
  readonly pairs = new Map<string, Diff['pairs'][number]>();
  readonly #world: World;
  readonly #pairs: Pairs;

  constructor(world: World, pairs: Pairs) {
    this.#world = world;
    this.#pairs = pairs;
  }

  /** Adds events. Returns how many of their present blocks change. */
  *addAll(plans: PlannedOrigin[]): Sliced<number> {
    let touched = 0;
    for (const plan of plans) touched += yield* this.#add(plan);
    return touched;
  }

  *#add({ item, uid, actions }: PlannedOrigin): Sliced<number> {
    let touched = 0;
    const groups = new Map<string, Entry>();
    for (const action of actions) {
      yield;
      const kind = diffKind[action.do];
      if (kind === null) continue;
      const targetId = action.do === 'insert' ? action.targetCalendarId : action.row.targetCalendarId;
      const target = this.#target(targetId);
      target[kind] += 1;
      this.#pair(item.calendarId, targetId)[kind] += 1;
      if (kind !== 'create') touched += 1;
      const nearMs = this.#near(action, item);
      const firstMs = startOf(action, item.body);
      const key = `${kind} ${targetId} ${recIdOf(action) === '' ? 'whole' : 'dates'}`;
      const entry = groups.get(key);
      if (entry === undefined) {
        const made: Entry = { action: kind, targetId, item, uid, first: action, firstMs, blocks: 1, nearMs };
        groups.set(key, made);
        target.entries.push(made);
        target.rowCount += 1;
      } else {
        entry.blocks += 1;
        if (firstMs < entry.firstMs) Object.assign(entry, { first: action, firstMs });
        entry.nearMs = Math.min(entry.nearMs, nearMs);
      }
    }
    for (const target of this.targets.values()) if (target.entries.length > 10 * mostRows) trim(target);
    return touched;
  }

  targetList(): Diff['targets'] {
    return [...this.targets].map(([calendarId, target]) => {
      trim(target);
      const { create, update, delete: deleted, rowCount } = target;
      const rows = target.entries.map((entry) => this.#row(entry)).toSorted(byStart);
      return { calendarId, create, update, delete: deleted, rowCount, rows };
    });
  }

  #target(calendarId: CalendarId): Target {
    const known = this.targets.get(calendarId);
    if (known !== undefined) return known;
    const target: Target = { create: 0, update: 0, delete: 0, rowCount: 0, entries: [] };
    this.targets.set(calendarId, target);
    return target;
  }

  #pair(sourceCalendarId: CalendarId, targetCalendarId: CalendarId): Diff['pairs'][number] {
    const key = `${sourceCalendarId} ${targetCalendarId}`;
    const pair = this.pairs.get(key) ?? { sourceCalendarId, targetCalendarId, create: 0, update: 0, delete: 0 };
    this.pairs.set(key, pair);
    return pair;
  }

  #near(action: Action, item: PlannedItem): number {
    if ('block' in action) return action.block.nearMs;
    const { nowMs } = this.#world;
    const startMs = msOfRecId(action.row.recId) ?? item.startsMs ?? nowMs;
    return startMs >= nowMs ? startMs - nowMs : pastMs + nowMs - startMs;
  }

  #row({ action, targetId, item, uid, first, blocks }: Entry): Row {
    const origin = originOf(this.#world, item, uid);
    const occurrence = this.#dateOf(first, origin, targetId);
    const block = 'block' in first ? first.block.body : null;
    const whole = recIdOf(first) === '' ? (block ?? item.body) : null;
    const startMs = occurrence?.startMs ?? msOfRecId(recIdOf(first)) ?? item.startsMs;
    return {
      action,
      itemId: item.id,
      sourceCalendarId: item.calendarId,
      origin: titleOf(item.body, recIdOf(first)),
      writes: block?.core.title ?? null,
      details: block?.core.location !== undefined || block?.core.notes !== undefined,
      away: block?.core.busy === 'oof',
      startsAt: isoOf(startMs),
      endsAt: isoOf(occurrence?.endMs ?? null),
      allDay: occurrence?.allDay ?? false,
      series: whole?.kind === 'series' ? this.#series(whole, origin, startMs) : null,
      blocks,
    };
  }

  /** The date of an action. A whole series begins with its first date in the window. */
  #dateOf(action: Action, origin: Origin, targetId: CalendarId) {
    const pair = this.#pairs.ofSource(origin.calendarId).find((one) => one.targetCalendarId === targetId);
    const body = 'block' in action ? action.block.body : (instanceOf(origin.body, recIdOf(action)) ?? origin.body);
    const fromMs = 'block' in action ? (pair?.window.fromMs ?? this.#world.nowMs) : this.#world.nowMs;
    return nextOccurrence(body, origin, fromMs);
  }

  /** The rule of a series, and its first date if that is before the one that the row shows. */
  #series(body: Series, { calendarZone, ownerZone }: Origin, startMs: number | null): Row['series'] {
    const { when, rules, exdates, overrides } = body;
    const aboutMs = parseLocal(when.start) ?? 0;
    const around = { fromMs: aboutMs - 2 * dayMs, toMs: aboutMs + 366 * dayMs };
    const [first] = occurrencesOf(body, calendarZone, ownerZone, around, eventLimits).list;
    return {
      rule: rules[0] ?? null,
      start: when.start,
      zone: when.kind === 'zoned' ? when.zone : when.kind === 'floating' ? calendarZone : null,
      since: first !== undefined && startMs !== null && first.startMs < startMs ? isoOf(first.startMs) : null,
      excluded: new Set(exdates).size,
      changed: Object.keys(overrides).length,
    };
  }
}

/** In the order of their times; those without one last. */
function byStart(one: Row, other: Row): number {
  const [first, second] = [one.startsAt ?? '9', other.startsAt ?? '9'];
  return Number(first > second) - Number(first < second);
}

/** Keeps the nearest entries. */
function trim(target: Target): void {
  target.entries.sort((one, other) => one.nearMs - other.nearMs);
  target.entries.length = Math.min(target.entries.length, mostRows);
}

/** The start of the date of an action in the zone of its block; the last of all where only the series says it. */
function startOf(action: Action, body: EventBody): number {
  const own = 'block' in action ? action.block.body : instanceOf(body, recIdOf(action));
  const when = own !== null && 'when' in own ? own.when : null;
  return (when === null ? null : parseLocal(when.start)) ?? Number.MAX_SAFE_INTEGER;
}

const recIdOf = (action: Action) => ('block' in action ? action.block.recId : (action.row.recId as RecId | ''));

function msOfRecId(recId: string): number | null {
  const named = recId === '' ? null : parseRecId(recId);
  return named?.form === 'utc' ? named.ms : null;
}

/** Instances that say themselves what they are. */
function instancesOf(body: EventBody) {
  const master = masterOf(body);
  return body.kind === 'instances' ? body.list : master?.kind === 'series' ? master.overrides : {};
}

/** An instance that says itself when it is, as an event of its own. */
function instanceOf(body: EventBody, recId: RecId | ''): EventBody | null {
  const own = recId === '' ? undefined : instancesOf(body)[recId];
  return own === undefined ? null : { kind: 'single', ...own };
}

/** The title of the instance that a block is for, else of its event; empty where neither has one. */
function titleOf(body: EventBody, recId: RecId | ''): string {
  const instances = instancesOf(body);
  const own = recId === '' ? undefined : instances[recId];
  const [first] = Object.values(instances);
  return (own ?? masterOf(body) ?? first)?.core.title ?? '';
}

const diffKind = {
  insert: 'create',
  recreate: 'create',
  renew: 'create',
  write: 'update',
  restore: 'update',
  remove: 'delete',
  release: null,
  forget: null,
} as const;

function withDraft(world: World, groupId: string | null, input: GroupInput): World {
  const id = (groupId ?? draftId) as GroupId;
  return {
    ...world,
    groups: [
      ...world.groups.filter((group) => group.id !== id),
      { id, name: input.name, enabled: input.enabled, rule: input.rule, revision: 0, windowDay: null },
    ],
    members: [
      ...world.members.filter((member) => member.groupId !== id),
      ...input.members.map((member) => ({ ...member, groupId: id, calendarId: member.calendarId as CalendarId })),
    ],
    pairs: [
      ...world.pairs.filter((pair) => pair.groupId !== id),
      ...input.pairs.map((pair) => ({
        ...pair,
        groupId: id,
        sourceCalendarId: pair.sourceCalendarId as CalendarId,
        targetCalendarId: pair.targetCalendarId as CalendarId,
        breaker: 'closed' as const,
        breakerMs: null,
        breakerDeletes: null,
      })),
    ],
  };
}
