import { expect, test } from 'vitest';
import type { UserId } from '#kernel/ids.ts';
import type { BookingState } from './booking-states.ts';
import { type KnownVersion, type ToldChange, type Version, whoIsTold } from './who-is-told.ts';

const ann = 'ann' as UserId;
const ben = 'ben' as UserId;
const cy = 'cy' as UserId;

type Act = 'confirm' | 'move' | 'move and ask' | 'reassign' | 'give back' | 'decline' | 'cancel' | 'expire';
const acts: readonly Act[] = [
  'confirm',
  'move',
  'move and ask',
  'reassign',
  'give back',
  'decline',
  'cancel',
  'expire',
];

const change = (hosts: readonly UserId[], from: UserId, to: UserId) =>
  hosts.includes(from) && !hosts.includes(to) ? hosts.map((id) => (id === from ? to : id)) : null;

/** The booking after an act; null where the act is refused. */
function after(act: Act, now: Version): { what: ToldChange; version: Version } | null {
  const { state, hostIds, startMs } = now;
  const isPending = state === 'pending';
  if (!isPending && state !== 'confirmed') return null;
  const end = (to: BookingState & ToldChange) => ({ what: to, version: { ...now, state: to } });
  const moved = (to: BookingState) => ({
    what: 'rescheduled' as const,
    version: { ...now, state: to, startMs: startMs + 1, endMs: startMs + 2 },
  });
  const given = (ids: readonly UserId[] | null) =>
    ids && { what: 'reassigned' as const, version: { ...now, hostIds: ids } };
  switch (act) {
    case 'confirm':
      return isPending ? { what: 'confirmed', version: { ...now, state: 'confirmed' } } : null;
    case 'move':
      return moved(state);
    case 'move and ask':
      return isPending ? null : moved('pending');
    case 'reassign':
      return given(change(hostIds, ben, cy));
    case 'give back':
      return given(change(hostIds, cy, ben));
    case 'decline':
      return isPending ? end('declined') : null;
    case 'expire':
      return isPending ? end('expired') : null;
    case 'cancel':
      return end('cancelled');
  }
}

/** The contents of one mailbox. */
interface Mailbox {
  /** The time in its calendar. */
  calendar: number | null;
  /** The version that its reader heard of; null: they are told that it is over for them, or nothing. */
  heard: Version | null;
}

test('every story of a booking: each calendar and each host has the booking as it is, whatever was overtaken', () => {
  let stories = 0;
  const play = (
    story: readonly { act: Act | 'book'; told: boolean }[],
    now: Version,
    known: KnownVersion | null,
    boxes: ReadonlyMap<string, Mailbox>,
  ) => {
    if (story.at(-1)?.told === true) {
      stories += 1;
      const name = story.map(({ act, told }) => (told ? act : `(${act})`)).join(', ');
      const isOver = now.state !== 'pending' && now.state !== 'confirmed';
      for (const who of ['booker', 'brought'])
        expect(boxes.get(who)?.calendar ?? null, `${who}: ${name}`).toBe(
          now.state === 'confirmed' ? now.startMs : null,
        );
      for (const who of [ann, ben, cy]) {
        const heard = boxes.get(who)?.heard ?? null;
        if (!now.hostIds.includes(who)) expect(heard, `${who}: ${name}`).toBe(null);
        // a booking that was over before anybody heard of it may be unknown to hosts
        else if (!isOver) expect(heard, `${who}: ${name}`).toEqual(now);
        else expect(heard, `${who}: ${name}`).toBe(null);
      }
    }
    if (story.length === 5) return;
    for (const act of acts) {
      const next = after(act, now);
      if (next === null) continue;
      play([...story, { act, told: false }], next.version, known, boxes);
      const [said, mails] = tell(next.what, known, next.version, boxes);
      play([...story, { act, told: true }], next.version, said, mails);
    }
  };
  for (const state of ['pending', 'confirmed'] as const) {
    const now: Version = { state, startMs: 1, endMs: 2, hostIds: [ann, ben] };
    play([{ act: 'book', told: false }], now, null, new Map());
    const [said, mails] = tell(state === 'pending' ? 'requested' : 'confirmed', null, now, new Map());
    play([{ act: 'book', told: true }], now, said, mails);
  }
  expect(stories).toBeGreaterThan(1_000);
});

function tell(
  what: ToldChange,
  known: KnownVersion | null,
  now: Version,
  boxes: ReadonlyMap<string, Mailbox>,
): [KnownVersion, Map<string, Mailbox>] {
  const telling = whoIsTold({ what, by: null, known, now });
  const next = new Map(boxes);
  const isOver = now.state !== 'pending' && now.state !== 'confirmed';
  const take = (calendar: number | null) =>
    telling.calendar === 'invite' ? now.startMs : telling.calendar === 'cancel' ? null : calendar;
  for (const who of ['booker', 'brought'] as const) {
    const box = boxes.get(who) ?? { calendar: null, heard: null };
    if (telling[who] !== null) next.set(who, { ...box, calendar: take(box.calendar) });
  }
  for (const { id, moment } of telling.hosts)
    next.set(id, { calendar: null, heard: isOver || moment === 'handed-over' ? null : now });
  expect(new Set(telling.hosts.map(({ id }) => id)).size).toBe(telling.hosts.length);
  return [{ ...now, invited: known?.invited === true || now.state === 'confirmed' }, next];
}

test('a host who acts is not told of it, and every other host is', () => {
  const now: Version = { state: 'cancelled', startMs: 1, endMs: 2, hostIds: [ann, ben] };
  const known: KnownVersion = { ...now, state: 'confirmed', invited: true };
  const told = (by: UserId | null) => whoIsTold({ what: 'cancelled', by, known, now }).hosts.map(({ id }) => id);
  expect([told(ann), told(ben), told(cy), told(null)]).toEqual([[ben], [ann], [ann, ben], [ann, ben]]);
});

test('a booking that moved away and back since it was told of is told to nobody', () => {
  const now: Version = { state: 'confirmed', startMs: 1, endMs: 2, hostIds: [ann] };
  const told = whoIsTold({ what: 'rescheduled', by: null, known: { ...now, invited: true }, now });
  expect(told).toEqual({ booker: null, brought: null, hosts: [], calendar: null });
});
