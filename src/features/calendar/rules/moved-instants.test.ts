import { describe, expect, test } from 'vitest';
import type { EventBody, Series } from '#kernel/event.ts';
import {
  atSameInstant,
  farAtSameInstant,
  haveMoved,
  type Instants,
  renamedInstances,
  renameExceptions,
} from './moved-instants.ts';

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

  test('changed instances that were given as instants keep them, and those of the rule follow the clock', () => {
    const { when, core } = series({});
    if (when.kind !== 'zoned') return expect.fail(when.kind);
    const own = (start: string, title: string) => ({ when: { ...when, start }, core: { ...core, title } });
    // as Google and Microsoft gave them under the old law, where noon in Winnipeg was 18:00Z
    const body = series({
      overrides: {
        '20270115T150000Z': own('2027-01-15T12:00:00', 'Moved'),
        '20270122T150000Z': own('2027-01-22T09:00:00', 'Renamed'),
        '20270129T150000Z': { when: { ...when, start: '2027-01-29T09:00:00', duration: { seconds: 7200 } }, core },
        '20280114T150000Z': own('2028-01-14T12:00:00', 'Far'),
      },
    });
    const before = instantsOf(fridays, 15);
    const movedMs = at('2027-01-15T18:00:00Z');
    const stored = {
      ...before,
      instances: before.instances.map((one) =>
        one.recId === '20270115T150000Z' ? { ...one, startMs: movedMs, endMs: movedMs + hourMs } : one,
      ),
    };
    const startsIn = (of: EventBody) =>
      of.kind === 'series'
        ? Object.values(of.overrides).map((one) => (one.when.kind === 'zoned' ? one.when.start : ''))
        : [];
    const near = atSameInstant(body, stored);
    // 18:00Z is 13:00 now, 15:00Z is 10:00; an instance that only lasts longer follows its series
    expect(startsIn(near)).toEqual([
      '2027-01-15T13:00:00',
      '2027-01-22T10:00:00',
      '2027-01-29T09:00:00',
      '2028-01-14T12:00:00',
    ]);
    const yearly = renameExceptions(
      { ...near, rules: ['FREQ=WEEKLY'] } as Series,
      new Map([['20270108T150000Z', '20270108T140000Z']]),
    );
    const renamed = new Map(Object.keys(body.overrides).map((name) => [name, name.replace('T15', 'T14')]));
    expect(startsIn(farAtSameInstant(yearly, stored, renamed))).toEqual([
      '2027-01-15T13:00:00',
      '2027-01-22T10:00:00',
      '2027-01-29T09:00:00',
      '2028-01-14T13:00:00',
    ]);
  });

  test('instances without a rule that were given as instants keep them', () => {
    const { when, core } = series({});
    if (when.kind !== 'zoned') return expect.fail(when.kind);
    const startMs = at('2027-01-15T15:00:00Z');
    const list = { '20270115T150000Z': { when: { ...when, start: '2027-01-15T09:00:00' }, core } };
    const body: EventBody = { kind: 'instances', of: 'x', from: 0, to: startMs * 2, list };
    const stored = {
      startMs,
      endMs: startMs + hourMs,
      instances: [{ recId: '20270115T150000Z', startMs, endMs: startMs + hourMs }],
    };
    const [kept] = Object.values((atSameInstant(body, stored) as typeof body).list);
    expect(kept?.when).toMatchObject({ start: '2027-01-15T10:00:00' });
  });
});
