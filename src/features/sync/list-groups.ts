import type * as z from 'zod/mini';
import { isoOf } from '#features/connections/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { groupShape, mirrorCountsShape } from './contract.ts';
import { mirrorRuleOf } from './rules/mirror-rule.ts';
import { underSettings } from './rules/sync-settings.ts';
import { countByGroupPair, listDoomedTitles } from './store/counts.ts';
import { loadGroups } from './store/groups.ts';
import { loadSettings } from './store/settings.ts';

type GroupView = z.output<typeof groupShape>;
type MirrorCounts = z.output<typeof mirrorCountsShape>;

/** Groups with members, rules, breakers and how far their mirrors are. */
export async function listGroups(app: App, actor: Actor): Promise<GroupView[]> {
  const [{ groups, members, pairs }, counts, settings] = await Promise.all([
    loadGroups(app.db, actor.userId),
    countByGroupPair(app.db, actor.userId),
    loadSettings(app.db, actor.userId),
  ]);
  const open = pairs.filter((pair) => pair.breaker === 'open' || pair.breaker === 'waiting');
  const doomed = open.length === 0 ? new Map<string, string[]>() : await listDoomedTitles(app.db, actor.userId, open);
  return groups.map((group) => {
    const ownMembers = members.filter((member) => member.groupId === group.id);
    const inGroup = new Set<string>(ownMembers.map((member) => member.calendarId));
    const total: MirrorCounts = { total: 0, created: 0, pending: 0, failed: 0, skipped: 0 };
    const blocks: GroupView['blocks'] = [];
    for (const count of counts) {
      if (!inGroup.has(count.source) || !inGroup.has(count.target)) continue;
      const ofPair = count.created + count.pending + count.failed;
      if (ofPair > 0) blocks.push({ sourceCalendarId: count.source, targetCalendarId: count.target, count: ofPair });
      total.created += count.created;
      total.pending += count.pending;
      total.failed += count.failed;
      total.skipped += count.skipped;
    }
    total.total = total.created + total.pending + total.failed;
    return {
      groupId: group.id,
      name: group.name,
      enabled: group.enabled,
      revision: group.revision,
      rule: group.rule,
      effectiveRule: mirrorRuleOf(underSettings(settings, group.rule)),
      members: ownMembers.map(({ calendarId, isSource, isTarget }) => ({ calendarId, isSource, isTarget })),
      pairs: pairs
        .filter((pair) => pair.groupId === group.id)
        .map(({ sourceCalendarId, targetCalendarId, enabled, rule }) => ({
          sourceCalendarId,
          targetCalendarId,
          enabled,
          rule,
        })),
      breakers: open
        .filter((pair) => pair.groupId === group.id)
        .map((pair) => ({
          sourceCalendarId: pair.sourceCalendarId,
          targetCalendarId: pair.targetCalendarId,
          state: pair.breaker === 'open' ? ('open' as const) : ('waiting' as const),
          deletes: pair.breakerDeletes ?? 0,
          since: isoOf(pair.breakerMs) ?? isoOf(0) ?? '',
          examples: doomed.get(`${pair.sourceCalendarId} ${pair.targetCalendarId}`) ?? [],
        })),
      counts: total,
      blocks,
    };
  });
}
