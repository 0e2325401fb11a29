import { describe, expect, test } from 'vitest';
import { type GroupDraft, isSameDraft, pairOf, withMember, withPair } from './group-draft.ts';

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
});
