import type { MirrorRule, MirrorRulePatch } from '#features/sync/rules/mirror-rule.ts';
import { isAccountBlocked, lacksBlocks, mirrorsAnything } from '#features/sync/rules/mirrors-anything.ts';
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
 * With a further calendar that blocks the other accounts of the group; of its own, where there is no other. The main
 * calendar of an account that is not blocked yet is also blocked by them. Every other pair that this would bring along
 * is off.
 */
export function withSource(draft: GroupDraft, calendars: readonly DraftCalendar[], calendarId: string): GroupDraft {
  const accountId = calendars.find((one) => one.calendarId === calendarId)?.accountId;
  const mains = mainCalendars(calendars).filter((main) => main.calendarId !== calendarId);
  const elsewhere = mains.filter((main) => main.accountId !== accountId);
  const joined = joinedElsewhere(draft, calendars, calendarId, 'isTarget');
  const proposed = elsewhere.length > 0 ? elsewhere : mains;
  const targets = joined.length > 0 ? joined : proposed.map((main) => main.calendarId);
  const blocks = targets.map((target) => [calendarId, target] as const);
  const own = calendars.filter((one) => one.accountId === accountId).map((one) => one.calendarId);
  const isBlocked = isMain(calendars, calendarId) && !isAccountBlocked([draft], own);
  return withPairs(draft, isBlocked ? [...blocks, ...blocksOf(draft, calendars, calendarId)] : blocks);
}

/** With a calendar that the other accounts of the group block. */
export function withTarget(draft: GroupDraft, calendars: readonly DraftCalendar[], calendarId: string): GroupDraft {
  return withPairs(draft, blocksOf(draft, calendars, calendarId));
}

/** For each account that blocks others while nothing blocks it: its main calendar in the group, or its first one. */
export function unblocked<C extends DraftCalendar>(draft: GroupDraft, calendars: readonly C[]): C[] {
  const present = calendars.filter((calendar) => !calendar.removed);
  const accounts = [...Map.groupBy(present, (calendar) => calendar.accountId).values()];
  return accounts.flatMap((account) => {
    if (!lacksBlocks([draft], account)) return [];
    const isSource = ({ calendarId }: C) =>
      draft.members.some((member) => member.calendarId === calendarId && member.isSource);
    return mainCalendars(account.filter(isSource));
  });
}

type Sides = readonly [sourceCalendarId: string, targetCalendarId: string];

function blocksOf(draft: GroupDraft, calendars: readonly DraftCalendar[], calendarId: string): Sides[] {
  return joinedElsewhere(draft, calendars, calendarId, 'isSource').map((source) => [source, calendarId]);
}

/** Calendars with this part in the group, of every other account: its main one, or else each that has the part. */
function joinedElsewhere(
  draft: GroupDraft,
  calendars: readonly DraftCalendar[],
  calendarId: string,
  part: 'isSource' | 'isTarget',
): string[] {
  const accountId = calendars.find((one) => one.calendarId === calendarId)?.accountId;
  const mains = new Set(mainCalendars(calendars).map((main) => main.calendarId));
  const joined = new Set(draft.members.filter((member) => member[part]).map((member) => member.calendarId));
  const elsewhere = calendars.filter(
    (one) => !one.removed && one.accountId !== accountId && joined.has(one.calendarId),
  );
  const withMain = new Set(elsewhere.filter((one) => mains.has(one.calendarId)).map((one) => one.accountId));
  return elsewhere
    .filter((one) => mains.has(one.calendarId) || !withMain.has(one.accountId))
    .map((one) => one.calendarId);
}

/** A primary calendar, or any of an account whose server names none. */
function isMain(calendars: readonly DraftCalendar[], calendarId: string): boolean {
  const calendar = calendars.find((one) => one.calendarId === calendarId);
  if (!calendar?.writable || calendar.removed) return false;
  const [main] = mainCalendars(calendars.filter((one) => one.accountId === calendar.accountId));
  return calendar.isPrimary || main?.isPrimary !== true;
}

/** With these pairs on. Every other pair that their calendars bring along is off. */
function withPairs(draft: GroupDraft, wanted: readonly Sides[]): GroupDraft {
  const partOf = (among: GroupDraft, calendarId: string): Member =>
    among.members.find((one) => one.calendarId === calendarId) ?? { calendarId, isSource: false, isTarget: false };
  const hadPair = (source: string, target: string) => partOf(draft, source).isSource && partOf(draft, target).isTarget;
  let next = draft;
  for (const [source, target] of wanted) {
    next = withMember(next, { ...partOf(next, source), isSource: true });
    next = withMember(next, { ...partOf(next, target), isTarget: true });
  }
  for (const { calendarId: source } of next.members.filter((one) => one.isSource)) {
    for (const { calendarId: target } of next.members.filter((one) => one.isTarget && one.calendarId !== source)) {
      const isWanted = wanted.some((sides) => sides[0] === source && sides[1] === target);
      if (!isWanted && hadPair(source, target)) continue;
      next = withPair(next, { ...pairOf(next, source, target), enabled: isWanted });
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
