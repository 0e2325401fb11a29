import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Core, Item, Series, Single, When } from '#kernel/event.ts';
import type { MirrorIdentity, TagVerifier } from '#kernel/mirror-identity.ts';
import { describeEventWriting } from './conformance-events.ts';
import { describeFreeBusy } from './conformance-guests.ts';
import {
  type ConformanceOptions,
  type ConformanceWorld,
  kindOf,
  knownFrom,
  outcomeOf,
  pullAll,
  signal,
  type UserEvent,
} from './conformance-world.ts';
import type { MirrorBody, PullRequest } from './port.ts';

export type { ConformanceOptions, ConformanceWorld, UserEvent };

/**
 * The conformance suite of every provider adapter, written against the port. A provider runs it against each server it
 * can reach: emulators, real servers, and by hand the real service.
 */

export const conformanceTags: TagVerifier = { verify: (uid, tag) => tag === tagOf(uid) };

export function conformanceIdentity(n: number, generation = 1): MirrorIdentity {
  const key = `c0nf0rmance${String(n).padStart(9, '0')}vv`;
  const uid = `${key}-g${generation}@holdfast.invalid`;
  return { key, generation, uid, tag: tagOf(uid) };
}

function tagOf(uid: string): string {
  return `1:${Buffer.from(uid).toString('hex').slice(0, 24)}`;
}

/** Registers the suite. Nothing here knows a protocol. */
export function describeConformance(options: ConformanceOptions): void {
  const title = options.skip ? `${options.name} (skipped: ${options.skip})` : `${options.name} as a calendar provider`;
  describe.skipIf(Boolean(options.skip))(title, () => {
    let server: Awaited<ReturnType<ConformanceOptions['start']>>;
    let world: ConformanceWorld;

    beforeAll(async () => {
      server = await options.start();
      return () => server.stop();
    }, 60_000);
    beforeEach(async () => {
      world = await server.open(conformanceTags);
      return () => world.close();
    }, 60_000);

    const pull = (request: Partial<PullRequest> = {}) => pullAll(world, request);
    const settle = async () => await world.settle?.();

    describe('reading', () => {
      it('the calendar is listed with its name and as writable', async () => {
        const calendars = await world.provider.listCalendars(signal());
        const found = calendars.find((calendar) => calendar.ref === world.calendarRef);
        expect(found).toMatchObject({ writable: true });
        expect(found?.name).not.toBe('');
        expect(calendars.filter((calendar) => calendar.primary)).toHaveLength(1);
      });

      it('an empty calendar is listed as complete and empty', async () => {
        const got = await pull();
        expect(got.items).toEqual([]);
        expect(got.end.listed).toEqual(new Set());
      });

      it('a first pull returns every event with its version and lists every ref', async () => {
        const refs = [
          await world.user.put(meeting(1)),
          await world.user.put(meeting(2)),
          await world.user.put(allDay(3)),
        ];
        const got = await pull();
        expect(new Set(got.items.map(titleOf))).toEqual(new Set(['Holiday 3', 'Meeting 1', 'Meeting 2']));
        expect(got.end.listed).toEqual(new Set(refs));
        expect(got.items.map((item) => item.ref).sort()).toEqual([...refs].sort());
        for (const item of got.items) {
          expect(item.version).not.toBe('');
          expect(item.provenance).toBe('foreign');
          expect(item.uid ?? '').not.toBe('');
        }
        // Some providers give UIDs of their own; whichever it is, it is the event's alone.
        expect(new Set(got.items.map((item) => item.uid)).size).toBe(3);
      });

      it('an event keeps its kind, wall clock time and zone when read', async () => {
        const events = [meeting(1), allDay(2), utc(3)];
        if (options.differs?.pinsFloating === undefined) events.push(floating(4));
        for (const event of events) await world.user.put(event);
        const got = await pull();
        const byTitle = new Map(got.items.map((item) => [titleOf(item), item.body]));
        for (const { title, when } of events) expect(byTitle.get(title)).toMatchObject({ kind: 'single', when });
      });

      it('a title with special characters is read exactly as typed', async () => {
        const rare = options.differs?.manglesBackslashN === undefined;
        const title = `Zoë; "Q&A", <b>1\\2</b> 🗓 ümlaut 日本語 ${'long '.repeat(40)}end`;
        const notes = `First line\nsecond; line${rare ? ', with \\n in it' : ''}\n\nlast`;
        await world.user.put({ ...meeting(1), title, notes });
        const got = await pull();
        expect(got.items[0]?.body).toMatchObject({ core: { title, notes } });
      });

      it('a series is read as one object with its cancelled and moved instances', async () => {
        await world.user.put(weekly(1));
        const got = await pull();
        expect(got.items).toHaveLength(1);
        const body = got.items[0]?.body as Series;
        expect(body.kind).toBe('series');
        expect(body.when).toEqual(weekly(1).when);
        expect(body.rules).toEqual(['FREQ=WEEKLY;COUNT=8']);
        // 9:00 in Berlin is 8:00 UTC in winter and 7:00 after 28 March 2027.
        expect(body.exdates).toEqual(['20270315T080000Z']);
        expect(Object.keys(body.overrides)).toEqual(['20270329T070000Z']);
        expect(body.overrides['20270329T070000Z']).toMatchObject({
          when: { kind: 'zoned', start: '2027-03-30T14:00:00', zone: 'Europe/Berlin' },
          core: { title: 'Moved' },
        });
      });

      it('a pull without changes takes one request and does not ask the store', async () => {
        await world.user.put(meeting(1));
        const first = await pull();
        await settle();
        const second = await pull({ cursor: first.end.cursor, known: knownFrom(first.items) });
        const quiet = await pull({
          cursor: second.end.cursor,
          known:
            options.differs?.repeatsLastSecond === undefined
              ? () => Promise.reject(new Error('A quiet pull asked what is known'))
              : knownFrom(first.items),
        });
        expect(quiet.items).toEqual([]);
        expect(quiet.gone).toEqual([]);
        expect(quiet.end.requests).toBe(1);
        expect(quiet.end.listed).toBeNull();
      });

      it('a pull returns only changes since the cursor', async () => {
        const kept = await world.user.put(meeting(1));
        const changed = await world.user.put(meeting(2));
        const deleted = await world.user.put(meeting(3));
        const first = await pull();
        await settle();
        await world.user.retitle(changed, 'Changed');
        await world.user.remove(deleted);
        const created = await world.user.put(meeting(4));
        const next = await pull({ cursor: first.end.cursor, known: knownFrom(first.items) });
        const refs = next.items.map((item) => item.ref).sort();
        if (options.differs?.refetchesOwnWrites === undefined) {
          expect(refs).toEqual([changed, created].sort());
          expect(refs).not.toContain(kept);
        } else {
          expect(refs).toEqual(expect.arrayContaining([changed, created]));
        }
        expect(next.items.map(titleOf)).toEqual(expect.arrayContaining(['Changed', 'Meeting 4']));
        expect(next.gone).toEqual([deleted]);
      });

      it('a routine pull finds created, changed and deleted events', async () => {
        const held = new Map<string, string>();
        let { cursor } = (await pull()).end;
        const round = async () => {
          const read = await pull({ cursor, routine: true, known: (refs) => Promise.resolve(pick(held, refs)) });
          cursor = read.end.cursor;
          for (const item of read.items) held.set(item.ref, item.version);
          for (const ref of read.gone) held.delete(ref);
          return read;
        };
        const rest = async () => {
          for (let rounds = 0; rounds < 4; rounds += 1) {
            world.goOn?.(6_000);
            await settle();
            await round();
          }
          const quiet = await round();
          expect(quiet.items).toEqual([]);
          if (options.differs?.repeatsLastSecond === undefined) expect(quiet.end.requests).toBe(1);
        };
        await rest();
        const ref = await world.user.put(meeting(1));
        expect((await round()).items.map(titleOf)).toEqual(['Meeting 1']);
        await rest();
        await world.user.retitle(ref, 'Changed');
        expect((await round()).items.map(titleOf)).toEqual(['Changed']);
        await rest();
        await world.user.remove(ref);
        expect((await round()).gone).toEqual([ref]);
        await rest();
        expect([...held.keys()]).toEqual([]);
      });

      it('an event with a version known to the store is not fetched', async () => {
        await world.user.put(meeting(1));
        await world.user.put(meeting(2));
        const first = await pull();
        const again = await pull({ cursor: null, known: knownFrom(first.items) });
        expect(again.items).toEqual([]);
        expect(again.end.listed).toEqual(first.end.listed);
      });

      it('a full pull lists everything and so reveals unreported deletions', async () => {
        const kept = await world.user.put(meeting(1));
        const lost = await world.user.put(meeting(2));
        const first = await pull();
        await world.user.remove(lost);
        const scrub = await pull({ cursor: first.end.cursor, full: true, known: knownFrom(first.items) });
        if (options.differs?.refetchesOwnWrites === undefined) expect(scrub.items).toEqual([]);
        expect(scrub.end.listed).toEqual(new Set([kept]));
        // the returned cursor continues from there
        await settle();
        const created = await world.user.put(meeting(3));
        const next = await pull({ cursor: scrub.end.cursor, known: knownFrom(first.items) });
        expect(next.items.map((item) => item.ref)).toContain(created);
      });

      it('a pull of two hundred events comes in pages and loses none', async () => {
        const refs = new Set<string>();
        for (let n = 0; n < 200; n += 1) refs.add(await world.user.put(meeting(n)));
        const got = await pull();
        expect(got.pages).toBeGreaterThan(1);
        expect(got.items).toHaveLength(200);
        expect(new Set(got.items.map((item) => item.ref))).toEqual(refs);
        expect(got.end.listed).toEqual(refs);
      }, 60_000);

      it('a cursor that is no longer honored starts over or is reported as expired', async ({ skip }) => {
        if (world.staleCursor === undefined) return skip('no cursor of this world goes stale');
        const ref = await world.user.put(meeting(1));
        const first = await pull();
        const stale = world.staleCursor(first.end.cursor ?? '');
        if (options.differs?.staleCursorLists !== undefined) {
          const got = await pull({ cursor: stale });
          expect(got.gone).not.toContain(ref);
          expect(got.end.listed).toBeNull();
          return;
        }
        await expect(pull({ cursor: stale })).rejects.toMatchObject({ kind: 'cursor-expired' });
        const full = await pull({ cursor: null, full: true });
        expect(full.end.listed).toEqual(new Set([ref]));
      });

      it('an unreadable event is withheld, and its neighbors are read', async ({ skip }) => {
        if (world.user.putRaw === undefined) return skip('the server takes no broken events');
        await world.user.put(meeting(1));
        const broken = await world.user.putRaw(
          'broken',
          'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\nBEGIN:VEVENT\r\nUID:broken\r\nDTSTAMP:20270101T000000Z\r\n' +
            'DTSTART;TZID=Nowhere/Atlantis:20270308T090000\r\nDTEND;TZID=Nowhere/Atlantis:20270308T100000\r\n' +
            'RRULE:FREQ=FORTNIGHTLY\r\nSUMMARY:Broken\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
        );
        const got = await pull();
        expect(got.items.map(titleOf)).toContain('Meeting 1');
        expect(got.end.listed?.has(broken)).toBe(true);
        expect(got.items.find((item) => item.ref === broken)).toBeDefined();
      });
    });

    describe('writing', () => {
      it('a created mirror is read back as own, with its body', async () => {
        const identity = conformanceIdentity(1);
        const written = await world.provider.createMirror(
          world.calendarRef,
          identity,
          block('2027-03-08T09:00:00'),
          signal(),
        );
        const got = await pull();
        expect(got.items).toHaveLength(1);
        expect(got.items[0]).toMatchObject({
          ref: written.ref,
          version: written.version,
          uid: identity.uid,
          provenance: 'own',
          body: { kind: 'single', core: { title: 'Busy', busy: 'busy', private: true } },
        });
        expect(utcStartOf(got.items[0])).toBe('2027-03-08T08:00:00Z');
      });

      it('a moved mirror keeps its ref, and the next pull knows its new version', async () => {
        const identity = conformanceIdentity(1);
        const created = await world.provider.createMirror(
          world.calendarRef,
          identity,
          block('2027-03-08T09:00:00'),
          signal(),
        );
        const first = await pull();
        const updated = await world.provider.updateMirror(
          world.calendarRef,
          created,
          identity,
          block('2027-03-09T11:00:00'),
          signal(),
        );
        expect(updated.ref).toBe(created.ref);
        expect(updated.version).not.toBe(created.version);
        await settle();
        const next = await pull({ cursor: first.end.cursor });
        expect(next.items).toHaveLength(1);
        expect(next.items[0]).toMatchObject({ version: updated.version, provenance: 'own' });
        expect(utcStartOf(next.items[0])).toBe('2027-03-09T10:00:00Z');
      });

      it("a pull does not fetch the provider's own write", async ({ skip }) => {
        if (options.differs?.refetchesOwnWrites !== undefined) return skip(options.differs.refetchesOwnWrites);
        const first = await pull();
        const written = await world.provider.createMirror(
          world.calendarRef,
          conformanceIdentity(1),
          block('2027-03-08T09:00:00'),
          signal(),
        );
        const next = await pull({
          cursor: first.end.cursor,
          known: () => Promise.resolve(new Map([[written.ref, written.version]])),
        });
        expect(next.items).toEqual([]);
        expect(next.gone).toEqual([]);
      });

      it('a deleted mirror is gone, and a second delete reports it as not found', async () => {
        const identity = conformanceIdentity(1);
        const created = await world.provider.createMirror(
          world.calendarRef,
          identity,
          block('2027-03-08T09:00:00'),
          signal(),
        );
        const first = await pull();
        await world.provider.deleteMirror(world.calendarRef, created, signal());
        await settle();
        const next = await pull({ cursor: first.end.cursor });
        expect(next.gone).toEqual([created.ref]);
        expect(await kindOf(world.provider.deleteMirror(world.calendarRef, created, signal()))).toBe('not-found');
      });

      it('an all-day mirror is written as dates', async () => {
        const when: When = { kind: 'all-day', start: '2027-03-08', end: '2027-03-10' };
        await world.provider.createMirror(
          world.calendarRef,
          conformanceIdentity(1),
          { kind: 'single', when, core: busyCore },
          signal(),
        );
        expect((await pull()).items[0]?.body).toMatchObject({ kind: 'single', when });
      });

      it('a series with exceptions is read back as it was written', async ({ skip }) => {
        if (options.series === 'expanded') return skip('its instances are written one by one');
        const zoned = (start: string): When => ({
          kind: 'zoned',
          start,
          zone: 'America/New_York',
          duration: { seconds: 3_600 },
        });
        const series: Series = {
          kind: 'series',
          when: zoned('2027-03-05T09:00:00'),
          core: busyCore,
          rules: ['FREQ=WEEKLY;COUNT=6'],
          exRules: [],
          extraDates: [],
          // 9:00 in New York is 14:00 UTC before 14 March 2027 and 13:00 after.
          exdates: ['20270312T140000Z'],
          overrides: {},
        };
        const moved = { when: zoned('2027-03-27T10:00:00'), core: { ...busyCore, title: 'Moved' } };
        if (options.series === 'punch-out') series.exdates.push('20270326T130000Z');
        else series.overrides['20270326T130000Z'] = moved;
        await world.provider.createMirror(world.calendarRef, conformanceIdentity(1), series, signal());
        const body = (await pull()).items[0]?.body;
        expect(body).toMatchObject({
          kind: 'series',
          when: series.when,
          rules: series.rules,
          exdates: series.exdates,
          overrides:
            options.series === 'punch-out'
              ? {}
              : { '20270326T130000Z': { when: moved.when, core: { title: moved.core.title } } },
        });
      });

      it('a mirror keeps special characters in its texts', async () => {
        const notes = options.differs?.manglesBackslashN === undefined ? 'one\ntwo\\n' : 'one\ntwo';
        const core: Core = { ...busyCore, title: `Arzt; "Zoë", \\ 🗓 ${'ß'.repeat(90)}`, location: 'A, B; C', notes };
        const when = block('2027-03-08T09:00:00').when;
        await world.provider.createMirror(
          world.calendarRef,
          conformanceIdentity(1),
          { kind: 'single', when, core },
          signal(),
        );
        expect((await pull()).items[0]?.body).toMatchObject({
          core: { title: core.title, location: core.location, notes: core.notes },
        });
      });

      it('an identity never gets a second object', async () => {
        const identity = conformanceIdentity(1);
        const first = await world.provider.createMirror(
          world.calendarRef,
          identity,
          block('2027-03-08T09:00:00'),
          signal(),
        );
        const second = await outcomeOf(
          world.provider.createMirror(world.calendarRef, identity, block('2027-03-09T09:00:00'), signal()),
        );
        if (second.error === undefined) expect(second.value?.ref).toBe(first.ref);
        else expect(second.error.kind).toBe('precondition');
        expect((await pull()).items).toHaveLength(1);
      });

      it('a mirror changed by the user is not overwritten', async () => {
        const identity = conformanceIdentity(1);
        const created = await world.provider.createMirror(
          world.calendarRef,
          identity,
          block('2027-03-08T09:00:00'),
          signal(),
        );
        await world.user.retitle(created.ref, 'Mine now');
        const update = world.provider.updateMirror(
          world.calendarRef,
          created,
          identity,
          block('2027-03-09T09:00:00'),
          signal(),
        );
        expect(await kindOf(update)).toBe('precondition');
        expect((await pull()).items.map(titleOf)).toEqual(['Mine now']);
      });

      it('a mirror changed by the user is not deleted', async () => {
        const identity = conformanceIdentity(1);
        const created = await world.provider.createMirror(
          world.calendarRef,
          identity,
          block('2027-03-08T09:00:00'),
          signal(),
        );
        await world.user.retitle(created.ref, 'Mine now');
        expect(await kindOf(world.provider.deleteMirror(world.calendarRef, created, signal()))).toBe('precondition');
        expect((await pull()).items.map(titleOf)).toEqual(['Mine now']);
      });

      it('a mirror deleted by the user is reported as gone and not created again', async () => {
        const identity = conformanceIdentity(1);
        const created = await world.provider.createMirror(
          world.calendarRef,
          identity,
          block('2027-03-08T09:00:00'),
          signal(),
        );
        await world.user.remove(created.ref);
        const update = world.provider.updateMirror(
          world.calendarRef,
          created,
          identity,
          block('2027-03-09T09:00:00'),
          signal(),
        );
        expect(await kindOf(update)).toBe('not-found');
        expect((await pull()).items).toEqual([]);
      });

      it('a mirror is found by its identity, and by no other', async () => {
        const identity = conformanceIdentity(1);
        const other = conformanceIdentity(1, 2);
        expect(await world.provider.findMirror(world.calendarRef, identity, signal())).toBeNull();
        const created = await world.provider.createMirror(
          world.calendarRef,
          identity,
          block('2027-03-08T09:00:00'),
          signal(),
        );
        expect(await world.provider.findMirror(world.calendarRef, identity, signal())).toMatchObject({
          ref: created.ref,
          version: created.version,
          item: { uid: identity.uid, provenance: 'own' },
        });
        expect(await world.provider.findMirror(world.calendarRef, other, signal())).toBeNull();
      });

      it('a mirror tag copied to another event leaves that event foreign', async () => {
        const identity = conformanceIdentity(1);
        await world.user.put({ ...meeting(1), tag: identity.tag });
        const got = await pull();
        expect(got.items[0]?.provenance).toBe('foreign');
      });

      it('mirrors can be written concurrently', async () => {
        const writes = [1, 2, 3, 4, 5, 6].map((n) =>
          world.provider.createMirror(
            world.calendarRef,
            conformanceIdentity(n),
            block(`2027-03-0${n}T09:00:00`),
            signal(),
          ),
        );
        const refs = new Set((await Promise.all(writes)).map((written) => written.ref));
        expect(refs.size).toBe(6);
        expect((await pull()).end.listed).toEqual(refs);
      });

      it('one of several concurrent updates of a version wins, and the others are refused', async () => {
        const identity = conformanceIdentity(1);
        const created = await world.provider.createMirror(
          world.calendarRef,
          identity,
          block('2027-03-08T09:00:00'),
          signal(),
        );
        const outcomes = await Promise.all(
          [1, 2, 3, 4].map((n) =>
            outcomeOf(
              world.provider.updateMirror(
                world.calendarRef,
                created,
                identity,
                block(`2027-04-0${n}T09:00:00`),
                signal(),
              ),
            ),
          ),
        );
        const won = outcomes.filter((outcome) => outcome.error === undefined);
        const lost = outcomes.flatMap((outcome) => outcome.error ?? []);
        if (options.differs?.losesRaces === undefined) expect(won).toHaveLength(1);
        else expect(won.length).toBeGreaterThanOrEqual(1);
        for (const error of lost) expect(error.kind).toBe('precondition');
        expect((await pull()).items).toHaveLength(1);
      });
    });

    describeEventWriting(() => world, options);
    describeFreeBusy(() => world);

    describe('refused access', () => {
      it('a wrong credential is refused as an authentication error', async ({ skip }) => {
        if (world.withWrongCredential === undefined) return skip('the server asks for no credential');
        const stranger = world.withWrongCredential();
        expect(await kindOf(stranger.listCalendars(signal()))).toBe('auth');
        expect(await kindOf(pullAll({ ...world, provider: stranger }, {}))).toBe('auth');
        const create = stranger.createMirror(
          world.calendarRef,
          conformanceIdentity(1),
          block('2027-03-08T09:00:00'),
          signal(),
        );
        expect(await kindOf(create)).toBe('auth');
      });

      it('a deleted calendar is reported as gone, never as empty', async ({ skip }) => {
        if (world.removeCalendar === undefined) return skip('a calendar cannot be removed here');
        await world.user.put(meeting(1));
        const first = await pull();
        await world.removeCalendar();
        expect(await kindOf(pull({ cursor: first.end.cursor }))).toBe('not-found');
        expect(await kindOf(pull({ cursor: null }))).toBe('not-found');
        expect(await kindOf(pull({ cursor: first.end.cursor, full: true }))).toBe('not-found');
        const create = world.provider.createMirror(
          world.calendarRef,
          conformanceIdentity(1),
          block('2027-03-08T09:00:00'),
          signal(),
        );
        expect(await kindOf(create)).toBe('not-found');
        const find = world.provider.findMirror(world.calendarRef, conformanceIdentity(1), signal());
        expect(await kindOf(find)).toBe('not-found');
      });

      it('an aborted call ends as transient', async () => {
        const stop = AbortSignal.abort(new Error('shutting down'));
        expect(await kindOf(pull({ signal: stop }))).toBe('transient');
        expect(await kindOf(world.provider.listCalendars(stop))).toBe('transient');
      });
    });
  });
}

function pick(held: ReadonlyMap<string, string>, refs: string[]): Map<string, string> {
  return new Map(refs.flatMap((ref) => (held.has(ref) ? [[ref, held.get(ref) ?? '']] : [])));
}

function titleOf(item: Item): string | undefined {
  return item.body.kind === 'single' || item.body.kind === 'series' ? item.body.core.title : item.body.kind;
}

/** Adapters may write a single as UTC; the instant is what counts. */
function utcStartOf(item: Item | undefined): string {
  if (item?.body.kind !== 'single' || item.body.when.kind !== 'zoned') throw new Error('Not a timed single event');
  const { start, zone } = item.body.when;
  return Temporal.PlainDateTime.from(start).toZonedDateTime(zone).toInstant().toString();
}

const busyCore: Core = { busy: 'busy', private: true, self: 'none', kind: 'default', title: 'Busy' };

function block(start: string): Single {
  return {
    kind: 'single',
    when: { kind: 'zoned', start, zone: 'Europe/Berlin', duration: { seconds: 1_800 } },
    core: busyCore,
  } satisfies MirrorBody;
}

function meeting(n: number): UserEvent {
  const day = String(1 + (n % 28)).padStart(2, '0');
  const when: When = {
    kind: 'zoned',
    start: `2027-03-${day}T09:00:00`,
    zone: 'Europe/Berlin',
    duration: { seconds: 3_600 },
  };
  return { uid: `event-${n}@example.org`, title: `Meeting ${n}`, when };
}

function allDay(n: number): UserEvent {
  return {
    uid: `event-${n}@example.org`,
    title: `Holiday ${n}`,
    when: { kind: 'all-day', start: '2027-03-05', end: '2027-03-07' },
  };
}

function floating(n: number): UserEvent {
  const when: When = { kind: 'floating', start: '2027-03-05T07:30:00', duration: { wallSeconds: 900 } };
  return { uid: `event-${n}@example.org`, title: `Alarm ${n}`, when };
}

function utc(n: number): UserEvent {
  const when: When = { kind: 'zoned', start: '2027-03-05T12:00:00', zone: 'UTC', duration: { seconds: 5_400 } };
  return { uid: `event-${n}@example.org`, title: `Call ${n}`, when };
}

function weekly(n: number): UserEvent {
  return {
    ...meeting(n),
    when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'Europe/Berlin', duration: { seconds: 3_600 } },
    rule: 'FREQ=WEEKLY;COUNT=8',
    cancelled: ['2027-03-15T09:00:00'],
    moved: { original: '2027-03-29T09:00:00', start: '2027-03-30T14:00:00', title: 'Moved' },
  };
}
