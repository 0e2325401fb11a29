import { describe, expect, it } from 'vitest';
import type { Core, Series } from '#kernel/event.ts';
import { isAsSeen, mergeEdit } from './merge.ts';

const core: Core = { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Weekly' };
const series = (...rules: string[]): Series => ({
  kind: 'series',
  when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'Europe/Berlin', duration: { seconds: 1_800 } },
  core,
  rules,
  exRules: [],
  extraDates: [],
  exdates: [],
  overrides: {},
});

describe('edits of a recurrence rule', () => {
  const endless = series('FREQ=WEEKLY');
  const ended = series('FREQ=WEEKLY;UNTIL=20270329T065959Z');
  /** As Outlook tells it: the day of the last instance, to its end. */
  const endedByDay = series('FREQ=WEEKLY;UNTIL=20270322T225959Z');

  it('an edit that ends a series is done when the provider ends it on the day of the last instance', () => {
    expect(mergeEdit(endless, ended, endedByDay)).toEqual({ kind: 'done' });
  });

  it.each([
    ['FREQ=WEEKLY;BYDAY=MO', 'FREQ=WEEKLY'],
    ['FREQ=MONTHLY', 'FREQ=MONTHLY;BYMONTHDAY=8'],
    ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;WKST=SU'],
  ])('an edit to the rule %s is done when the provider returns %s', (wanted, told) => {
    expect(mergeEdit(series('FREQ=YEARLY'), series(wanted), series(told))).toEqual({ kind: 'done' });
  });

  it('an edit that ended a series can be undone after the provider rewrote its end', () => {
    expect(mergeEdit(ended, endless, endedByDay)).toEqual({ kind: 'write', after: endless });
  });

  it('an edit of the end of a series is a conflict when somebody ended it elsewhere', () => {
    const elsewhere = series('FREQ=WEEKLY;UNTIL=20270315T225959Z');
    expect(mergeEdit(endless, ended, elsewhere)).toEqual({ kind: 'conflict', parts: ['recurrence'] });
    expect(mergeEdit(endless, ended, series('FREQ=DAILY;UNTIL=20270322T225959Z'))).toMatchObject({ kind: 'conflict' });
  });
});

describe('edits of one instance', () => {
  const weekly = series('FREQ=WEEKLY;COUNT=5');
  const recId = '20270315T080000Z';
  const renamed: Series = {
    ...weekly,
    overrides: { [recId]: { when: weekly.when, core: { ...core, title: 'Mine' } } },
  };
  const moved: Series = { ...weekly, when: { ...weekly.when, start: '2027-03-08T11:00:00' } as Series['when'] };

  it('an edit of an instance is a conflict when its series was moved, and a deletion is done', () => {
    expect(mergeEdit(weekly, renamed, moved)).toEqual({ kind: 'conflict', parts: [`${recId}.start`] });
    expect(mergeEdit(weekly, { ...weekly, exdates: [recId] }, moved)).toEqual({ kind: 'done' });
  });
});

describe('edits of a zone', () => {
  const inZone = (zone: string, start = '2027-03-08T09:00:00'): Series => ({
    ...series('FREQ=WEEKLY'),
    when: { kind: 'zoned', start, zone, duration: { seconds: 1_800 } },
  });

  it('an edit of only the zone name is written, and a zone renamed by the server counts as done', () => {
    expect(mergeEdit(inZone('Europe/Berlin'), inZone('Europe/Paris'), inZone('Europe/Berlin'))).toMatchObject({
      kind: 'write',
      after: inZone('Europe/Paris'),
    });
    const later = inZone('America/Toronto', '2027-03-08T10:00:00');
    expect(mergeEdit(inZone('America/Toronto'), later, inZone('America/New_York'))).toMatchObject({ kind: 'write' });
    expect(mergeEdit(inZone('America/Toronto'), later, inZone('America/New_York', '2027-03-08T10:00:00'))).toEqual({
      kind: 'done',
    });
  });
});

describe('deletions of an event', () => {
  const before = { ...series('FREQ=WEEKLY;COUNT=5'), core: { ...core, attendees: [{ email: 'ana@example.org' }] } };

  it('a deletion applies when the provider only rewrote the event and a guest responded', () => {
    const attendees = [{ email: 'Ana@example.org', response: 'accepted' as const }];
    const told = { ...series('FREQ=WEEKLY;COUNT=5;BYDAY=MO'), core: { ...core, title: 'Weekly ', attendees } };
    expect(isAsSeen(before, told)).toBe(true);
  });

  it.each([
    ['its title', { ...before, core: { ...before.core, title: 'Monthly' } }],
    ['its rule', { ...before, rules: ['FREQ=WEEKLY;COUNT=6'] }],
    ['a deleted instance', { ...before, exdates: ['20270315T080000Z'] }],
    ['a moved instance', { ...before, overrides: { '20270315T080000Z': { when: before.when, core: before.core } } }],
    ['being a single event', { kind: 'single' as const, when: before.when, core: before.core }],
  ])('a deletion does not apply when somebody changed %s', (_what, current) => {
    expect(isAsSeen(before, current)).toBe(false);
  });
});
