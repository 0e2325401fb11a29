import { describe, expect, test } from 'vitest';
import {
  firstDraft,
  type GroupDraft,
  isSameDraft,
  pairOf,
  refilled,
  showing,
  shownIn,
  shownPairs,
  unblocked,
  withMember,
  withPair,
  withSource,
  withTarget,
} from './group-draft.ts';

const draft: GroupDraft = {
  name: 'All calendars',
  enabled: true,
  rule: {},
  members: [
    { calendarId: 'a', isSource: true, isTarget: true },
    { calendarId: 'b', isSource: true, isTarget: true },
  ],
  pairs: [{ sourceCalendarId: 'a', targetCalendarId: 'b', enabled: true, rule: { privacy: 'title' } }],
};

describe('mirror group drafts', () => {
  test('an untouched pair follows the rule of its group', () => {
    expect(pairOf(draft, 'b', 'a')).toEqual({ sourceCalendarId: 'b', targetCalendarId: 'a', enabled: true, rule: {} });
  });

  test('a pair put back to the default is dropped, and the draft counts as unchanged', () => {
    const off = withPair(draft, { ...pairOf(draft, 'b', 'a'), enabled: false });
    expect(isSameDraft(off, draft)).toBe(false);
    const back = withPair(off, { ...pairOf(off, 'b', 'a'), enabled: true });
    expect(back.pairs).toHaveLength(1);
    expect(isSameDraft(back, draft)).toBe(true);
  });

  test('a calendar that is neither read nor written is removed with its pairs', () => {
    const without = withMember(draft, { calendarId: 'b', isSource: false, isTarget: false });
    expect(without.members.map((member) => member.calendarId)).toEqual(['a']);
    expect(without.pairs).toEqual([]);
  });

  test('the order of members and unset keys of a rule are no change of a draft', () => {
    const reordered: GroupDraft = {
      ...draft,
      members: draft.members.toReversed(),
      rule: { titleTemplate: undefined },
    };
    expect(isSameDraft(reordered, draft)).toBe(true);
  });

  test('a changed rule is a change of a draft', () => {
    expect(isSameDraft({ ...draft, rule: { allDay: 'skip' } }, draft)).toBe(false);
  });

  const calendars = ['a', 'b', 'c'].flatMap((accountId) => [
    // the order of a server: the primary one need not be first
    { calendarId: `${accountId}-other`, accountId, isPrimary: false, writable: true, removed: false },
    { calendarId: `${accountId}-main`, accountId, isPrimary: true, writable: accountId !== 'c', removed: false },
    { calendarId: `${accountId}-holidays`, accountId, isPrimary: false, writable: false, removed: false },
  ]);
  const namesOf = (pairs: readonly { sourceCalendarId: string; targetCalendarId: string; enabled: boolean }[]) =>
    pairs.filter((pair) => pair.enabled).map((pair) => `${pair.sourceCalendarId} > ${pair.targetCalendarId}`);

  test('a first group joins one writable calendar of each account, and never two of one account', () => {
    const two = firstDraft('Main', calendars.slice(0, 6));
    expect(namesOf(shownPairs(two, calendars))).toEqual(['a-main > b-main', 'b-main > a-main']);
    const three = firstDraft('Main', calendars);
    // The primary calendar of the third account can only be read.
    expect(three.members.map((member) => member.calendarId)).toEqual(['a-main', 'b-main', 'c-other']);
    expect(namesOf(shownPairs(three, calendars))).toHaveLength(6);
    expect(firstDraft('Main', calendars.slice(0, 3)).members).toEqual([]);
  });

  test('a further calendar blocks the main ones of other accounts, and nothing else changes', () => {
    const first = firstDraft('Main', calendars.slice(0, 6));
    const more = withSource(first, calendars.slice(0, 6), 'a-holidays');
    expect(namesOf(shownPairs(more, calendars))).toEqual(['a-main > b-main', 'b-main > a-main', 'a-holidays > b-main']);
    expect(more.members.find((member) => member.calendarId === 'a-holidays')).toMatchObject({ isTarget: false });
  });

  test('the main calendar of an account connected again blocks the others, and they block it', () => {
    const left = firstDraft('Main', calendars.slice(0, 6));
    const again = withSource(left, calendars, 'c-other');
    expect(namesOf(shownPairs(again, calendars))).toEqual([
      'a-main > b-main',
      'a-main > c-other',
      'b-main > a-main',
      'b-main > c-other',
      'c-other > a-main',
      'c-other > b-main',
    ]);
  });

  test('accounts connected at once are each blocked in both directions, one after another', () => {
    const four = [
      ...calendars,
      ...['e', 'f'].map((accountId) => ({
        calendarId: `${accountId}-home`,
        accountId,
        isPrimary: false, // a CalDAV server names no primary calendar
        writable: true,
        removed: false,
      })),
    ];
    const first = firstDraft('Main', calendars.slice(0, 6));
    const all = withSource(withSource(first, four, 'e-home'), four, 'f-home');
    const members = ['a-main', 'b-main', 'e-home', 'f-home'];
    expect(namesOf(shownPairs(all, four)).toSorted()).toEqual(
      members.flatMap((one) => members.filter((other) => other !== one).map((other) => `${one} > ${other}`)).toSorted(),
    );
    expect(unblocked(all, four)).toEqual([]);
  });

  test('calendars that a user chose instead of the main ones block a new account, and it blocks them', () => {
    const chosen: GroupDraft = {
      ...firstDraft('Main', []),
      members: ['a-other', 'b-other'].map((calendarId) => ({ calendarId, isSource: true, isTarget: true })),
    };
    expect(namesOf(shownPairs(withSource(chosen, calendars, 'c-other'), calendars)).toSorted()).toEqual([
      'a-other > b-other',
      'a-other > c-other',
      'b-other > a-other',
      'b-other > c-other',
      'c-other > a-other',
      'c-other > b-other',
    ]);
  });

  test('the second calendar of a server without a primary one is not blocked again', () => {
    const home = { calendarId: 'e-home', accountId: 'e', isPrimary: false, writable: true, removed: false };
    const more = [...calendars, home, { ...home, calendarId: 'e-work' }];
    const one = withSource(firstDraft('Main', calendars.slice(0, 6)), more, 'e-work');
    const both = withSource(one, more, 'e-home');
    const into = (target: string) => namesOf(shownPairs(both, more)).filter((name) => name.endsWith(`> ${target}`));
    expect(into('e-work')).toEqual(['a-main > e-work', 'b-main > e-work']);
    expect(into('e-home')).toEqual([]);
  });

  test('an account that blocks others and is not blocked is named, and blocking it turns on those pairs only', () => {
    const first = firstDraft('Main', calendars.slice(0, 6));
    const oneWay = withMember(first, { calendarId: 'a-main', isSource: true, isTarget: false });
    expect(unblocked(oneWay, calendars)).toMatchObject([{ calendarId: 'a-main' }]);
    const switchedOff = withPair(first, { ...pairOf(first, 'b-main', 'a-main'), enabled: false });
    expect(unblocked(switchedOff, calendars)).toMatchObject([{ calendarId: 'a-main' }]);
    for (const draft of [oneWay, switchedOff]) {
      expect(isSameDraft(withTarget(draft, calendars, 'a-main'), first)).toBe(true);
    }
    // further calendars of a blocked account, read-only ones, and a single account need no blocks
    const more = withSource(withSource(first, calendars, 'a-other'), calendars, 'b-holidays');
    expect(unblocked(more, calendars)).toEqual([]);
    const own = calendars.slice(0, 3);
    expect(unblocked(withSource(firstDraft('Main', own), own, 'a-other'), own)).toEqual([]);
  });

  test('a group that an account left behind is refilled with the main calendars, and a group that mirrors is not', () => {
    const first = firstDraft('Main', calendars);
    for (const members of [[], first.members.slice(0, 1)]) {
      expect(refilled({ ...first, rule: { privacy: 'title' }, members }, calendars)).toEqual({
        ...first,
        rule: { privacy: 'title' },
      });
    }
    expect(refilled(first, calendars)).toBe(null);
    expect(refilled({ ...first, members: [] }, calendars.slice(0, 3))).toBe(null);
    const gone = calendars.map((one) => ({ ...one, removed: one.accountId !== 'a' }));
    expect(refilled({ ...first, members: [] }, gone)).toBe(null);
  });

  test('with one account a further calendar blocks its main one', () => {
    const own = calendars.slice(0, 3);
    const draftOfOne = withSource(firstDraft('Main', own), own, 'a-other');
    expect(namesOf(shownPairs(draftOfOne, own))).toEqual(['a-other > a-main']);
  });

  test.each(['busy', 'title', 'details'] as const)('a rule that shows %s is read back as that', (shown) => {
    expect(shownIn(showing(shown))).toBe(shown);
  });

  test('a title that is shown needs a template with the title in it', () => {
    expect(shownIn({ privacy: 'title', titleTemplate: 'Busy' })).toBe('own');
    expect(shownIn({ privacy: 'busy', titleTemplate: '{title}' })).toBe('busy');
    expect(shownIn({ privacy: 'busy', titleTemplate: 'At work' })).toBe('own');
  });
});
