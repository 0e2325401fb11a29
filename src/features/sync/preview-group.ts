import type * as z from 'zod/mini';
import { listItems, listLiveIds } from '#features/calendar/public.ts';
import { isoOf } from '#features/connections/public.ts';
import { type EventBody, masterOf, type RecId } from '#kernel/event.ts';
import type { CalendarId, GroupId } from '#kernel/ids.ts';
import { parseRecId } from '#kernel/time/rec-id.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inSlices } from '#platform/in-slices.ts';
import { checkGroup } from './check-group.ts';
import type { diffShape } from './contract.ts';
import type { World } from './load-world.ts';
import { loadWorld, pairsOf } from './load-world.ts';
import type { PlannedOrigin } from './plan-items.ts';
import { originUidOf, planItems } from './plan-items.ts';
import type { GroupInput } from './store/groups.ts';
import { countMirrors, listLedger } from './store/mirrors.ts';

type Diff = z.output<typeof diffShape>;

const batchItems = 500;
const mostExamples = 20;
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
  const diff: Diff = { create: 0, update: 0, delete: 0, unchanged: 0, examples: [] };
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
    for (const plan of await inSlices(planItems(world, pairs, items, ledger, alive))) touched += count(plan, diff);
    if (items.length < batchItems) break;
  }
  const standing = await countMirrors(app.db, actor.userId, [...concerned]);
  diff.unchanged = Math.max(0, standing - touched);
  return diff;
}

function count(plan: PlannedOrigin, diff: Diff): number {
  let touched = 0;
  for (const action of plan.actions) {
    const kind = diffKind[action.do];
    if (kind === null) continue;
    diff[kind] += 1;
    if (kind !== 'create') touched += 1;
    if (diff.examples.length >= mostExamples) continue;
    const { body } = plan.item;
    diff.examples.push({
      action: kind,
      title: titleOf(body, recIdOf(action)),
      startsAt: isoOf(startMsOf(action, plan.item.startsMs)),
      targetCalendarId: action.do === 'insert' ? action.targetCalendarId : action.row.targetCalendarId,
    });
  }
  return touched;
}

const recIdOf = (action: PlannedOrigin['actions'][number]) =>
  'block' in action ? action.block.recId : (action.row.recId as RecId | '');

/** The title of the instance that a block is for, else of its event; empty where neither has one. */
function titleOf(body: EventBody, recId: RecId | ''): string {
  const master = masterOf(body);
  const instances = body.kind === 'instances' ? body.list : master?.kind === 'series' ? master.overrides : {};
  const own = recId === '' ? undefined : instances[recId];
  const [first] = Object.values(instances);
  return (own ?? master ?? first)?.core.title ?? '';
}

/** An instance of a series starts at its own time, not with the series. */
function startMsOf(action: PlannedOrigin['actions'][number], eventMs: number | null): number | null {
  if ('block' in action && action.block.recId !== '' && action.block.body.when.kind === 'zoned') {
    const { start, zone } = action.block.body.when;
    return Temporal.PlainDateTime.from(start).toZonedDateTime(zone).epochMilliseconds;
  }
  const recId = recIdOf(action);
  const named = recId === '' ? null : parseRecId(recId);
  return named?.form === 'utc' ? named.ms : eventMs;
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
