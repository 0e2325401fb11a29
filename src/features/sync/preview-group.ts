import type * as z from 'zod/mini';
import { listItems, listLiveIds } from '#features/calendar/public.ts';
import { isoOf } from '#features/connections/public.ts';
import { type EventBody, masterOf, type RecId } from '#kernel/event.ts';
import type { CalendarId, GroupId } from '#kernel/ids.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import { parseRecId } from '#kernel/time/rec-id.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inSlices } from '#platform/in-slices.ts';
import { checkGroup } from './check-group.ts';
import type { diffShape } from './contract.ts';
import type { World } from './load-world.ts';
import { loadWorld, pairsOf } from './load-world.ts';
import type { PlannedOrigin } from './plan-items.ts';
import { originOf, originUidOf, planItems } from './plan-items.ts';
import { nextOccurrence } from './rules/next-instance.ts';
import type { Action } from './rules/plan.ts';
import type { GroupInput } from './store/groups.ts';
import { countMirrors, listLedger } from './store/mirrors.ts';

type Diff = z.output<typeof diffShape>;
type Kind = 'create' | 'update' | 'delete';
type Changes = Record<Kind, number>;

const batchItems = 500;
/** Events and series that the review names for one calendar. */
const mostRows = 20;
const pastMs = 1e14;
const draftId = 'draft' as GroupId;

/** Dry run: the planner over today's events and the group as it would be. Nothing is written, no provider is asked. */
export async function previewGroup(app: App, actor: Actor, groupId: string | null, input: GroupInput): Promise<Diff> {
  await checkGroup(app, actor, groupId, input);
  const saved = await loadWorld(app.db, actor.userId, app.clock.nowMs());
  const world = withDraft(saved, groupId, input);
  const pairs = pairsOf(world);
  const concerned = new Set<CalendarId>([
    ...saved.members.filter((member) => member.groupId === groupId).map((member) => member.calendarId),
    ...input.members.map((member) => member.calendarId as CalendarId),
  ]);
  const changes = new Changeset(world);
  let touched = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const items = await listItems(app.db, [...concerned], { after, limit: batchItems });
    const last = items.at(-1);
    if (last === undefined) break;
    after = last.id;
    const ledger = await listLedger(
      app.db,
      world.userId,
      items.map((item) => ({ itemId: item.id, calendarId: item.calendarId, uid: originUidOf(item) })),
    );
    const alive = await listLiveIds(
      app.db,
      ledger.map((row) => row.originItemId),
    );
    for (const plan of await inSlices(planItems(world, pairs, items, ledger, alive))) touched += changes.add(plan);
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

interface Entry {
  action: Kind;
  plan: PlannedOrigin;
  actions: Action[];
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

  constructor(world: World) {
    this.#world = world;
  }

  /** Adds one event. Returns how many of its present blocks change. */
  add(plan: PlannedOrigin): number {
    let touched = 0;
    const groups = new Map<string, Entry>();
    for (const action of plan.actions) {
      const kind = diffKind[action.do];
      if (kind === null) continue;
      const targetId = action.do === 'insert' ? action.targetCalendarId : action.row.targetCalendarId;
      const target = this.#target(targetId);
      target[kind] += 1;
      this.#pair(plan.item.calendarId, targetId)[kind] += 1;
      if (kind !== 'create') touched += 1;
      const nearMs = this.#near(action, plan);
      const key = `${kind} ${targetId}`;
      const entry = groups.get(key);
      if (entry === undefined) {
        const made: Entry = { action: kind, plan, actions: [action], nearMs };
        groups.set(key, made);
        target.entries.push(made);
        target.rowCount += 1;
      } else {
        // the nearest one is shown
        if (nearMs < entry.nearMs) entry.actions.unshift(action);
        else entry.actions.push(action);
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
      const rows = target.entries.map((entry) => this.#row(entry));
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

  #near(action: Action, { item }: PlannedOrigin): number {
    if ('block' in action) return action.block.nearMs;
    const { nowMs } = this.#world;
    const startMs = msOfRecId(action.row.recId) ?? item.startsMs ?? nowMs;
    return startMs >= nowMs ? startMs - nowMs : pastMs + nowMs - startMs;
  }

  #row({ action, plan, actions }: Entry): Diff['targets'][number]['rows'][number] {
    const { item, uid } = plan;
    const [nearest] = actions as [Action];
    const block = 'block' in nearest ? nearest.block.body : null;
    const instance = instanceOf(item.body, recIdOf(nearest));
    const shown = block ?? instance ?? item.body;
    const occurrence = nextOccurrence(shown, originOf(this.#world, item, uid), this.#world.nowMs);
    const startMs = occurrence?.startMs ?? msOfRecId(recIdOf(nearest)) ?? item.startsMs;
    const whole = actions.find((one) => recIdOf(one) === '');
    return {
      action,
      itemId: item.id,
      sourceCalendarId: item.calendarId,
      origin: titleOf(item.body, recIdOf(nearest)),
      writes: block?.core.title ?? null,
      details: block?.core.location !== undefined || block?.core.notes !== undefined,
      away: block?.core.busy === 'oof',
      startsAt: isoOf(startMs),
      endsAt: isoOf(occurrence?.endMs ?? null),
      allDay: occurrence?.allDay ?? false,
      repeats: whole === undefined ? null : frequencyOf('block' in whole ? whole.block.body : item.body),
      blocks: actions.length,
    };
  }
}

/** Keeps the nearest entries. */
function trim(target: Target): void {
  target.entries.sort((one, other) => one.nearMs - other.nearMs);
  target.entries.length = Math.min(target.entries.length, mostRows);
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

const frequencies = { DAILY: 'daily', WEEKLY: 'weekly', MONTHLY: 'monthly', YEARLY: 'yearly' } as const;

function frequencyOf(body: EventBody): Diff['targets'][number]['rows'][number]['repeats'] {
  if (body.kind !== 'series') return null;
  const [text, ...others] = body.rules;
  const parsed = text === undefined || others.length > 0 ? null : parseRule(text);
  if (parsed?.ok !== true || parsed.rule.interval !== 1) return 'other';
  const { freq } = parsed.rule;
  return freq in frequencies ? frequencies[freq as keyof typeof frequencies] : 'other';
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
