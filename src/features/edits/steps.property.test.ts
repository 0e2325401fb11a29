import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredItem } from '#features/calendar/public.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { Single } from '#kernel/event.ts';
import { contentHash } from '#kernel/event-hash.ts';
import type { CalendarId, ConnectionId, ItemId } from '#kernel/ids.ts';
import { calendarGoneCode, type EventWriter, type FoundMirror, type MirrorBody } from '#providers/port.ts';
import { runs } from '../../../test/harness/law-budget.ts';
import type { Step } from './rules/steps.ts';
import { type StepResult, writeStep } from './steps.ts';

/** A calendar in memory that counts its writes and fails as it is told, before or after it has done what was asked. */
type Fault = 'none' | 'refused' | 'lost' | 'down';
class Shelf {
  readonly objects = new Map<string, { version: number; body: MirrorBody }>();
  readonly faults: Fault[];
  writes = 0;

  constructor(faults: Fault[] = []) {
    this.faults = [...faults];
  }

  #found(ref: string): FoundMirror | null {
    const object = this.objects.get(ref);
    if (object === undefined) return null;
    const version = String(object.version);
    return { ref, version, item: { ref, version, provenance: 'foreign', body: object.body } };
  }

  /** The next call fails as the next fault has it; `lost` after its work was done. */
  #call<T>(work: () => T): Promise<T> {
    const fault = this.faults.shift() ?? 'none';
    if (fault === 'down') return Promise.reject(new ProviderError('transient', 'TIMEOUT', 'no answer'));
    if (fault === 'refused') return Promise.reject(new ProviderError('transient', 'HTTP_503', 'later'));
    try {
      const result = work();
      if (fault === 'lost') return Promise.reject(new ProviderError('transient', 'RESET', 'the answer was lost'));
      return Promise.resolve(result);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  #at(current: { ref: string; version: string }) {
    const object = this.objects.get(current.ref);
    if (object === undefined) throw new ProviderError('not-found', 'HTTP_404', 'gone');
    if (String(object.version) !== current.version) throw new ProviderError('precondition', 'HTTP_412', 'changed');
    return object;
  }

  put(ref: string, body: MirrorBody): void {
    this.objects.set(ref, { version: (this.objects.get(ref)?.version ?? 0) + 1, body });
  }

  readonly events: EventWriter = {
    read: (_calendar, ref) => this.#call(() => this.#found(ref)),
    find: (_calendar, identity) => this.#call(() => this.#found(identity.key)),
    create: (_calendar, identity, body) =>
      this.#call(() => {
        if (this.objects.has(identity.key)) throw new ProviderError('precondition', 'HTTP_409', 'there already');
        this.writes += 1;
        this.put(identity.key, body);
        return this.#found(identity.key) as FoundMirror;
      }),
    change: (_calendar, current, _before, after) =>
      this.#call(() => {
        this.#at(current);
        this.writes += 1;
        this.put(current.ref, after);
        return this.#found(current.ref) as FoundMirror;
      }),
    remove: (_calendar, current) =>
      this.#call(() => {
        this.#at(current);
        this.writes += 1;
        this.objects.delete(current.ref);
      }),
  };

  /** The item as the store would have it. */
  stored(ref: string): StoredItem | null {
    const object = this.objects.get(ref);
    if (object === undefined) return null;
    const { body, version } = object;
    const place = { itemId: 'i' as ItemId, calendarId: 'c' as CalendarId, ref };
    return { ...place, version: String(version), hash: contentHash(body), provenance: 'foreign', body };
  }
}

const event = (title: string, more: Partial<Single['core']> = {}, start = '2027-03-08T09:00:00'): Single => ({
  kind: 'single',
  when: { kind: 'zoned', start, zone: 'Europe/Berlin', duration: { seconds: 3_600 } },
  core: { busy: 'busy', private: false, self: 'none', kind: 'default', title, ...more },
});
const stepOf = (before: Single | null, after: Single | null): Step => ({
  calendarId: 'c' as CalendarId,
  connectionId: 'n' as ConnectionId,
  itemId: 'i' as ItemId,
  before,
  after,
  key: 'key',
});
const { signal } = new AbortController();
const run = (shelf: Shelf, step: Step, stored: StoredItem | null) =>
  writeStep({ events: shelf.events, calendarRef: '/c/', step, tellGuests: false, stored, isOwn: false }, signal);

/** Again and again, as the queue does, with what the store had when it was entered: readings come late. */
async function untilDone(shelf: Shelf, step: Step, stored: StoredItem | null): Promise<StepResult> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    try {
      return await run(shelf, step, stored);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind === 'rejected') throw error;
    }
  }
  throw new Error('it never came to an end');
}

const faults = fc.array(fc.constantFrom<Fault>('none', 'refused', 'lost', 'down'), { maxLength: 12 });

describe('writes with faults', () => {
  test('a creation makes one event and a deletion leaves none, whatever fails on the way', async () => {
    await fc.assert(
      fc.asyncProperty(faults, async (list) => {
        const shelf = new Shelf(list);
        const made = await untilDone(shelf, stepOf(null, event('A')), null);
        expect(made.kind).toBe('written');
        expect([...shelf.objects.values()].map(({ body }) => body)).toEqual([event('A')]);
        expect(shelf.writes).toBe(1);
        const again = new Shelf(list);
        again.put('a.ics', event('A'));
        expect((await untilDone(again, stepOf(event('A'), null), again.stored('a.ics'))).kind).toBe('removed');
        expect(again.objects.size).toBe(0);
      }),
      { numRuns: runs(300) },
    );
  });

  test('a change is written once and keeps changes in other fields, whatever fails on the way', async () => {
    await fc.assert(
      fc.asyncProperty(faults, fc.boolean(), async (list, meanwhile) => {
        const shelf = new Shelf(list);
        shelf.put('a.ics', event('A'));
        const stored = shelf.stored('a.ics');
        if (meanwhile) shelf.put('a.ics', event('A', { location: 'Room 4' }));
        const result = await untilDone(shelf, stepOf(event('A'), event('B')), stored);
        expect(['written', 'done']).toContain(result.kind);
        expect(shelf.stored('a.ics')?.body).toEqual(event('B', meanwhile ? { location: 'Room 4' } : {}));
        expect(shelf.writes).toBe(1);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('writes after changes by others', () => {
  test('a title changed by others is not written over and is returned as a conflict', async () => {
    const shelf = new Shelf();
    shelf.put('a.ics', event('A'));
    const stored = shelf.stored('a.ics');
    shelf.put('a.ics', event('C'));
    const result = await run(shelf, stepOf(event('A'), event('B')), stored);
    expect(result).toEqual({ kind: 'conflict', theirs: event('C') });
    expect(shelf.writes).toBe(0);
  });

  test('an event deleted by others is not recreated by a change and needs no deletion', async () => {
    const shelf = new Shelf();
    shelf.put('a.ics', event('A'));
    const stored = shelf.stored('a.ics');
    shelf.objects.clear();
    expect(await run(shelf, stepOf(event('A'), event('B')), stored)).toEqual({ kind: 'conflict', theirs: null });
    expect(await run(shelf, stepOf(event('A'), null), stored)).toEqual({ kind: 'removed', ref: 'a.ics' });
    expect(shelf.objects.size).toBe(0);
  });

  test('an event moved by others is not deleted, and a guest response does not stop a deletion', async () => {
    const shelf = new Shelf();
    const guests = [{ email: 'ana@example.org', response: 'needs-action' as const }];
    const before = event('A', { attendees: guests });
    shelf.put('a.ics', before);
    const stored = shelf.stored('a.ics');
    const moved = event('A', { attendees: guests }, '2027-03-09T09:00:00');
    shelf.put('a.ics', moved);
    expect(await run(shelf, stepOf(before, null), stored)).toEqual({ kind: 'conflict', theirs: moved });
    shelf.put('a.ics', event('A', { attendees: [{ email: 'ana@example.org', response: 'accepted' }] }));
    expect((await run(shelf, stepOf(before, null), stored)).kind).toBe('removed');
  });

  test('a deletion in a missing calendar fails and does not count as done', async () => {
    const shelf = new Shelf();
    shelf.put('a.ics', event('A'));
    const events = {
      ...shelf.events,
      remove: () => Promise.reject(new ProviderError('not-found', calendarGoneCode, 'no such calendar')),
    };
    const step = stepOf(event('A'), null);
    const asked = writeStep(
      { events, calendarRef: '/c/', step, tellGuests: false, stored: shelf.stored('a.ics'), isOwn: false },
      signal,
    );
    await expect(asked).rejects.toMatchObject({ code: calendarGoneCode });
  });
});
