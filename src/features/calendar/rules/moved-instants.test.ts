import { describe, expect, test } from 'vitest';
import type { EventBody, Series } from '#kernel/event.ts';
import { haveMoved, type Instants, renamedInstances, renameExceptions } from './moved-instants.ts';

const hourMs = 3_600_000;
const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;
const fromMs = at('2026-10-01T00:00:00Z');

/** Fridays at 09:00 in Winnipeg in January 2027: at 15:00Z by the law before tzdata 2026e, at 14:00Z since. */
const fridays = ['08', '15', '22', '29'];
const instantsOf = (days: string[], hour: number): Instants => ({
  startMs: at(`2027-01-08T${hour}:00:00Z`),
  endMs: at(`2027-01-29T${hour + 1}:00:00Z`),
  instances: days.map((day) => {
    const startMs = at(`2027-01-${day}T${hour}:00:00Z`);
    return { recId: `202701${day}T${hour}0000Z`, startMs, endMs: startMs + hourMs };
  }),
});

const series = (more: Partial<Series>): Series => ({
  kind: 'series',
  when: { kind: 'zoned', start: '2027-01-08T09:00:00', zone: 'America/Winnipeg', duration: { seconds: 3600 } },
  core: { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Review' },
  rules: ['FREQ=WEEKLY;COUNT=4'],
  exRules: [],
  extraDates: [],
  exdates: [],
  overrides: {},
  ...more,
});
const exceptionsOf = (body: EventBody) => (body.kind === 'series' ? [body.exdates, Object.keys(body.overrides)] : []);

describe('instants that zone data moved', () => {
  test('an event at another hour has moved, and one at the same hour has not', () => {
    const single = (hour: number): Instants => {
      const startMs = at(`2027-01-15T${hour}:00:00Z`);
      const endMs = startMs + hourMs;
      return { startMs, endMs, instances: [{ recId: '', startMs, endMs }] };
    };
    expect(haveMoved(single(15), single(14), fromMs)).toBe(true);
    expect(haveMoved(single(15), single(15), fromMs)).toBe(false);
    expect(haveMoved(instantsOf(fridays, 15), instantsOf(fridays, 14), fromMs)).toBe(true);
  });

  test('a series whose stored instances are those of an earlier window has not moved', () => {
    const stored = { ...instantsOf(fridays.slice(0, 3), 15), startMs: at('2027-01-08T15:00:00Z') };
    expect(haveMoved(stored, instantsOf(fridays, 15), fromMs)).toBe(false);
    const later = { ...instantsOf(fridays.slice(1), 15), startMs: at('2027-01-08T15:00:00Z') };
    expect(haveMoved(instantsOf(fridays, 15), later, at('2027-01-08T00:00:00Z'))).toBe(false);
  });

  test('an instance that stands where its own start says moves alone', () => {
    const before = instantsOf(fridays, 15);
    const instances = before.instances.map((one, n) => (n === 2 ? { ...one, startMs: one.startMs - hourMs } : one));
    const after = { ...before, instances };
    expect(haveMoved(before, after, fromMs)).toBe(true);
    expect([...renamedInstances(before, after, fromMs)]).toEqual([]);
  });

  test('instances get the names of their new starts, the last one as well', () => {
    const renamed = renamedInstances(instantsOf(fridays, 15), instantsOf(fridays, 14), fromMs);
    expect([...renamed]).toEqual(fridays.map((day) => [`202701${day}T150000Z`, `202701${day}T140000Z`]));
    const later = renamedInstances(instantsOf(fridays, 14), instantsOf(fridays, 15), fromMs);
    expect([...later]).toEqual(fridays.map((day) => [`202701${day}T140000Z`, `202701${day}T150000Z`]));
  });

  test('a canceled and a changed instance stay canceled and changed', () => {
    const override = series({}).when;
    const body = series({
      exdates: ['20270115T150000Z'],
      overrides: { '20270122T150000Z': { when: override, core: series({}).core } },
    });
    const renamed = new Map([['20270108T150000Z', '20270108T140000Z']]);
    expect(exceptionsOf(renameExceptions(body, renamed))).toEqual([['20270115T140000Z'], ['20270122T140000Z']]);
    expect(renamed.get('20270122T150000Z')).toBe('20270122T140000Z');
  });

  test('an exception that named no instance before names none after', () => {
    const body = series({ exdates: ['20270115T140000Z', '20270116T150000Z', '20270122T143000Z'] });
    const renamed = new Map([['20270108T150000Z', '20270108T140000Z']]);
    expect(exceptionsOf(renameExceptions(body, renamed))[0]).toEqual(body.exdates);
    expect(renameExceptions(body, new Map())).toEqual(body);
  });
});
