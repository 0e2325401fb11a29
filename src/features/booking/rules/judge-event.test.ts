import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EventStanding, judgeEvent } from './judge-event.ts';

const hour = 3_600_000;
const appointment = { startMs: 10 * hour, endMs: 11 * hour, restores: 0 };
const rules = { when_moved: 'ask', when_deleted: 'ask' } as const;
const usual = { appointment, rules, isMet: false, goneTogether: 1, nowMs: 0 };
const at = (startMs: number, more: Partial<EventStanding> = {}): EventStanding => ({
  startMs,
  endMs: startMs + hour,
  allDay: false,
  declined: false,
  ...more,
});
const later = at(20 * hour);

test('an event that is still as it was booked needs no decision, under any rules', () => {
  const any = fc.record({
    when_moved: fc.constantFrom('follow', 'ask', 'restore'),
    when_deleted: fc.constantFrom('cancel', 'ask', 'restore'),
  });
  fc.assert(
    fc.property(any, fc.boolean(), fc.nat(30), (given, isMet, goneTogether) => {
      const verdict = judgeEvent({ ...usual, rules: given as never, isMet, goneTogether, event: at(10 * hour) });
      expect(verdict).toEqual({ kind: 'as-is' });
    }),
  );
});

test('a decision that was carried out is followed by no other', () => {
  const event = fc.record({ startMs: fc.integer({ min: 1, max: 40 }), hours: fc.integer({ min: 1, max: 3 }) });
  fc.assert(
    fc.property(event, fc.constantFrom('follow', 'restore'), ({ startMs, hours }, whenMoved) => {
      const stands = at(startMs * hour, { endMs: (startMs + hours) * hour });
      const given = { ...usual, rules: { ...rules, when_moved: whenMoved as 'follow' | 'restore' } };
      const verdict = judgeEvent({ ...given, event: stands });
      const afterwards =
        verdict.kind === 'follow'
          ? { appointment: { ...appointment, ...verdict }, event: stands }
          : { appointment, event: at(10 * hour) };
      expect(judgeEvent({ ...given, ...afterwards })).toEqual({ kind: 'as-is' });
    }),
  );
});

test('a moved event is followed, asked about or moved back as the event type says', () => {
  const judge = (whenMoved: 'follow' | 'ask' | 'restore') =>
    judgeEvent({ ...usual, rules: { ...rules, when_moved: whenMoved }, event: later });
  expect(judge('follow')).toEqual({ kind: 'follow', startMs: 20 * hour, endMs: 21 * hour });
  expect(judge('ask')).toEqual({ kind: 'ask', about: 'moved' });
  expect(judge('restore')).toEqual({ kind: 'restore' });
});

test.each([
  ['onto a conflict', { isMet: true }, later],
  ['into the past', { nowMs: 30 * hour }, later],
  ['to a whole day', {}, at(24 * hour, { allDay: true })],
  ['to no time at all', {}, at(20 * hour, { endMs: 20 * hour })],
])('an event moved %s always asks its host', (_, more, event) => {
  expect(judgeEvent({ ...usual, ...more, rules: { ...rules, when_moved: 'follow' }, event })).toEqual({
    kind: 'ask',
    about: 'moved',
  });
});

test('a deleted event cancels, asks or is restored as the event type says, and many at once always ask', () => {
  const judge = (whenDeleted: 'cancel' | 'ask' | 'restore', goneTogether = 1) =>
    judgeEvent({ ...usual, rules: { ...rules, when_deleted: whenDeleted }, goneTogether, event: null });
  expect(judge('cancel')).toEqual({ kind: 'cancel' });
  expect(judge('ask')).toEqual({ kind: 'ask', about: 'deleted' });
  expect(judge('restore')).toEqual({ kind: 'restore' });
  expect(judge('cancel', 4)).toEqual({ kind: 'ask', about: 'deleted' });
});

test('a declined event cancels its booking where deletions cancel, and asks its host elsewhere', () => {
  const declined = at(10 * hour, { declined: true });
  expect(judgeEvent({ ...usual, event: declined })).toEqual({ kind: 'ask', about: 'declined' });
  expect(judgeEvent({ ...usual, rules: { ...rules, when_deleted: 'cancel' }, event: declined })).toEqual({
    kind: 'cancel',
  });
});

test('an event that does not stay where it was restored asks its host', () => {
  const restored = { ...usual, appointment: { ...appointment, restores: 3 } };
  const given = { when_moved: 'restore', when_deleted: 'restore' } as const;
  expect(judgeEvent({ ...restored, rules: given, event: later })).toEqual({ kind: 'ask', about: 'moved' });
  expect(judgeEvent({ ...restored, rules: given, event: null })).toEqual({ kind: 'ask', about: 'deleted' });
});
