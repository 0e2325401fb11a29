import type { MirrorRule, MirrorRulePatch } from '#features/sync/rules/mirror-rule.ts';
import { mirrorsAnything } from '#features/sync/rules/mirrors-anything.ts';
import type { Group, GroupInput } from './queries.ts';

/** A group while it is being edited: exactly what a save sends. */
export type GroupDraft = GroupInput;
export type Member = GroupDraft['members'][number];
export type Pair = GroupDraft['pairs'][number];

export function draftOf(group: Group): GroupDraft {
  const { name, enabled, rule, members, pairs } = group;
  return { name, enabled, rule, members, pairs };
}

export interface DraftCalendar {
  calendarId: string;
  accountId: string;
  isPrimary: boolean;
  writable: boolean;
  /** Gone at its provider. */
  removed: boolean;
}

/** The main calendar of each account: its primary one if that can be written to, else the first one that can. */
export function mainCalendars<C extends DraftCalendar>(calendars: readonly C[]): C[] {
  const mains = new Map<string, C>();
  for (const calendar of calendars) {
    if (!calendar.writable || calendar.removed) continue;
    const known = mains.get(calendar.accountId);
    if (known === undefined || (calendar.isPrimary && !known.isPrimary)) mains.set(calendar.accountId, calendar);
  }
  return [...mains.values()];
}

/** A first group: the main calendar of each account blocks the main ones of the others. With one account, nothing yet. */
export function firstDraft(name: string, calendars: readonly DraftCalendar[]): GroupDraft {
  const mains = mainCalendars(calendars);
  return {
    name,
    enabled: true,
    rule: {},
    members: mains.length < 2 ? [] : mains.map(({ calendarId }) => ({ calendarId, isSource: true, isTarget: true })),
    pairs: [],
  };
}

/**
 * A group that an account has left behind: nothing in it is mirrored. Null where its calendars and free ones give no
 * first draft either.
 */
export function refilled(draft: GroupDraft, calendars: readonly DraftCalendar[]): GroupDraft | null {
  const { members } = firstDraft(draft.name, calendars);
  return mirrorsAnything(draft.members) || members.length === 0 ? null : { ...draft, members };
}

/**
 * With a further calendar that blocks the main ones of other accounts; of its own, where there is no other. The main
 * calendar of an account that is not blocked yet is also blocked by them. Every other pair that this would bring along
 * is off.
 */
export function withSource(draft: GroupDraft, calendars: readonly DraftCalendar[], calendarId: string): GroupDraft {
  const accounts = new Map(calendars.map((calendar) => [calendar.calendarId, calendar.accountId]));
  const isElsewhere = (id: string) => accounts.get(id) !== accounts.get(calendarId);
  const mains = mainCalendars(calendars).filter((main) => main.calendarId !== calendarId);
  const elsewhere = mains.filter((main) => isElsewhere(main.calendarId));
  const blocked = new Set((elsewhere.length > 0 ? elsewhere : mains).map((main) => main.calendarId));
  const before = new Set(draft.members.filter((one) => one.isTarget).map((one) => one.calendarId));
  const isMain = mainCalendars(calendars).some((main) => main.calendarId === calendarId);
  const isBlocked = isMain && elsewhere.length > 0 && [...before].every(isElsewhere);
  const partOf = (id: string): Member =>
    draft.members.find((one) => one.calendarId === id) ?? { calendarId: id, isSource: false, isTarget: false };
  const part = partOf(calendarId);
  let next = withMember(draft, { ...part, isSource: true, isTarget: part.isTarget || isBlocked });
  for (const id of blocked) next = withMember(next, { ...partOf(id), isTarget: true });
  for (const source of next.members.filter((one) => one.isSource)) {
    for (const target of next.members.filter((one) => one.isTarget && one.calendarId !== source.calendarId)) {
      const isNew = source.calendarId === calendarId || !before.has(target.calendarId);
      const isMeant =
        (source.calendarId === calendarId && blocked.has(target.calendarId)) ||
        (isBlocked && target.calendarId === calendarId && blocked.has(source.calendarId));
      if (isNew) next = withPair(next, { ...pairOf(next, source.calendarId, target.calendarId), enabled: isMeant });
    }
  }
  return next;
}

/** Pairs to show one by one: those that are on, and those between accounts that are off. */
export function shownPairs(draft: GroupDraft, calendars: readonly DraftCalendar[]): Pair[] {
  const accountOf = new Map(calendars.map((calendar) => [calendar.calendarId, calendar.accountId]));
  const targets = draft.members.filter((member) => member.isTarget);
  return draft.members
    .filter((member) => member.isSource)
    .flatMap((source) =>
      targets
        .filter((target) => target.calendarId !== source.calendarId)
        .map((target) => pairOf(draft, source.calendarId, target.calendarId)),
    )
    .filter((pair) => pair.enabled || accountOf.get(pair.sourceCalendarId) !== accountOf.get(pair.targetCalendarId));
}

/** How an event is shown to others; `own` where the title of the block is anything else. */
export type Shown = 'busy' | 'title' | 'details' | 'own';

export function shownIn({ privacy, titleTemplate }: Pick<MirrorRule, 'privacy' | 'titleTemplate'>): Shown {
  const template = titleTemplate.trim();
  if (template === '{title}') return privacy;
  return privacy === 'busy' && (template === '' || template === 'Busy') ? 'busy' : 'own';
}

/** A rule that shows this. The title needs a template with the title in it. */
export function showing(shown: Exclude<Shown, 'own'>): Required<Pick<MirrorRulePatch, 'privacy' | 'titleTemplate'>> {
  return { privacy: shown, titleTemplate: shown === 'busy' ? 'Busy' : '{title}' };
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
