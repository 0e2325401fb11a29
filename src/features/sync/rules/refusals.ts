import type { HoldRankOf } from '#features/availability/rules/hold-rules.ts';
import { busyClassOf } from '#features/calendar/rules/busy-class.ts';
import type { Core, When } from '#kernel/event.ts';
import type { MirrorRule } from './mirror-rule.ts';

/** Why a rule does not want an instance with this core and time in this target. */
export type Refusal = 'not-busy' | 'all-day' | 'keyword' | 'target-invited';

/** The parts of a pair that the refusals depend on. */
interface Asked {
  rule: MirrorRule;
  targetAddresses: readonly string[];
  holdRank: HoldRankOf;
}

/** In the order in which one is told where several hold. */
const refusals: readonly { reason: Refusal; holds: (core: Core, when: When, pair: Asked) => boolean }[] = [
  { reason: 'not-busy', holds: (core, when, pair) => !blocksEnough(core, when, pair) },
  { reason: 'all-day', holds: (_, when, { rule }) => when.kind === 'all-day' && rule.allDay === 'skip' },
  { reason: 'keyword', holds: (core, _, { rule }) => keywordAgainst(core, rule) !== null },
  { reason: 'target-invited', holds: (core, _, pair) => pair.rule.skipIfTargetInvited && isInvited(core, pair) },
];

/** The first of them that holds, null where the rule wants the instance. */
export function firstRefusal(core: Core, when: When, pair: Asked): Refusal | null {
  for (const { reason, holds } of refusals) if (holds(core, when, pair)) return reason;
  return null;
}

/** All of them that hold, for who wants to know what would have to change. */
export function everyRefusal(core: Core, when: When, pair: Asked): Refusal[] {
  return refusals.filter(({ holds }) => holds(core, when, pair)).map(({ reason }) => reason);
}

function blocksEnough(core: Core, when: When, { rule, holdRank }: Asked): boolean {
  const allDay = when.kind === 'all-day';
  const blockClass = busyClassOf(core, { allDay, provenance: 'foreign', lengthMs: 1, holdRank: holdRank(core) });
  if (rule.events === 'all') return blockClass !== 'ignore';
  return blockClass === 'busy' || (blockClass === 'soft' && rule.events === 'busy-and-soft');
}

export type KeywordAgainst = { kind: 'nosync' } | { kind: 'excluded'; word: string } | { kind: 'not-included' };

/** The word that keeps an event from being mirrored, or that none of those asked for is there; null where words allow it. */
export function keywordAgainst(core: Core, rule: MirrorRule): KeywordAgainst | null {
  const title = (core.title ?? '').toLowerCase();
  if (title.includes('#nosync') || (core.notes ?? '').toLowerCase().includes('#nosync')) return { kind: 'nosync' };
  const has = (word: string) => title.includes(word.toLowerCase());
  const word = rule.excludeKeywords.find(has);
  if (word !== undefined) return { kind: 'excluded', word };
  const wanted = rule.includeKeywords.length === 0 || rule.includeKeywords.some(has);
  return wanted ? null : { kind: 'not-included' };
}

function isInvited(core: Core, pair: Asked): boolean {
  return core.attendees?.some((attendee) => pair.targetAddresses.includes(attendee.email.toLowerCase())) ?? false;
}
