import type { MirrorRulePatch } from '#features/sync/rules/mirror-rule.ts';
import type { Group, GroupInput } from './queries.ts';

/** A group while it is being edited: exactly what a save sends. */
export type GroupDraft = GroupInput;
export type Member = GroupDraft['members'][number];
export type Pair = GroupDraft['pairs'][number];

export function draftOf(group: Group): GroupDraft {
  const { name, enabled, rule, members, pairs } = group;
  return { name, enabled, rule, members, pairs };
}

/** A first group: every calendar is read, every one that can be written is written to. */
export function firstDraft(name: string, calendars: readonly { calendarId: string; writable: boolean }[]): GroupDraft {
  return {
    name,
    enabled: true,
    rule: {},
    members: calendars.map(({ calendarId, writable }) => ({ calendarId, isSource: true, isTarget: writable })),
    pairs: [],
  };
}

export function isSameDraft(one: GroupDraft, other: GroupDraft): boolean {
  return canonical(one) === canonical(other);
}

/** Order of members, pairs and keys carries no meaning. */
function canonical(draft: GroupDraft): string {
  const byKey = (a: string, b: string) => (a < b ? -1 : 1);
  return JSON.stringify({
    name: draft.name,
    enabled: draft.enabled,
    rule: canonicalRule(draft.rule),
    members: draft.members.map((member) => JSON.stringify(member, ['calendarId', 'isSource', 'isTarget'])).sort(byKey),
    pairs: draft.pairs
      .filter((pair) => !isDefaultPair(pair))
      .map((pair) =>
        JSON.stringify([pair.sourceCalendarId, pair.targetCalendarId, pair.enabled, canonicalRule(pair.rule)]),
      )
      .sort(byKey),
  });
}

function canonicalRule(rule: MirrorRulePatch): [string, unknown][] {
  return Object.entries(rule)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function isDefaultPair(pair: Pair): boolean {
  return pair.enabled && Object.keys(pair.rule).length === 0;
}

/** The pair as it is ruled now; one that nobody touched follows the group. */
export function pairOf(draft: GroupDraft, sourceCalendarId: string, targetCalendarId: string): Pair {
  return (
    draft.pairs.find(
      (pair) => pair.sourceCalendarId === sourceCalendarId && pair.targetCalendarId === targetCalendarId,
    ) ?? { sourceCalendarId, targetCalendarId, enabled: true, rule: {} }
  );
}

/** With this pair changed; one that says nothing of its own is not kept. */
export function withPair(draft: GroupDraft, changed: Pair): GroupDraft {
  const others = draft.pairs.filter(
    (pair) => pair.sourceCalendarId !== changed.sourceCalendarId || pair.targetCalendarId !== changed.targetCalendarId,
  );
  return { ...draft, pairs: isDefaultPair(changed) ? others : [...others, changed] };
}

/** With this calendar's part changed; neither read nor written means that it leaves, with its pairs. */
export function withMember(draft: GroupDraft, changed: Member): GroupDraft {
  const stays = changed.isSource || changed.isTarget;
  const known = draft.members.some((member) => member.calendarId === changed.calendarId);
  const members = known
    ? draft.members.map((member) => (member.calendarId === changed.calendarId ? changed : member))
    : [...draft.members, changed];
  if (stays) return { ...draft, members };
  const left = (pair: Pair) =>
    pair.sourceCalendarId === changed.calendarId || pair.targetCalendarId === changed.calendarId;
  return {
    ...draft,
    members: members.filter((member) => member.calendarId !== changed.calendarId),
    pairs: draft.pairs.filter((pair) => !left(pair)),
  };
}
