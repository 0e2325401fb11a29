import { beforeEach, describe, expect, it } from 'vitest';
import type { Core, EventBody, Item, Series, Single, When } from '#kernel/event.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import {
  type ConformanceOptions,
  type ConformanceWorld,
  kindOf,
  knownFrom,
  outcomeOf,
  pullAll,
  signal,
} from './conformance-world.ts';
import type { EventIdentity, EventWriter, FoundMirror, MirrorBody } from './port.ts';

/**
 * Conformance of writing a person's own events. Bodies are compared instance by instance: a provider may store a series
 * in its own shape, but never with other instances.
 */
export function describeEventWriting(current: () => ConformanceWorld, options: ConformanceOptions): void {
  describe("writing a user's own events", () => {
    let world: ConformanceWorld;
    let events: EventWriter;
    const quietly = { tellGuests: false };

    beforeEach(({ skip }) => {
      world = current();
      if (world.provider.events === undefined) return skip('it writes no events of people');
      events = world.provider.events;
    });

    const create = (body: MirrorBody, n = 1) =>
      events.create(world.calendarRef, eventIdentity(n), body, quietly, signal());
    const change = (found: FoundMirror, after: MirrorBody) =>
      events.change(world.calendarRef, found, bodyOf(found.item), after, quietly, signal());
    const read = (ref: string) => events.read(world.calendarRef, ref, signal());
    const listed = async () => (await pullAll(world, {})).items;

    /** Expects that the calendar holds the returned event under the returned version. */
    async function expectStands(found: FoundMirror, body: MirrorBody): Promise<void> {
      expect(found.version).not.toBe('');
      expect(found.item).toMatchObject({ ref: found.ref, version: found.version, provenance: 'foreign' });
      expect(instancesOf(found.item.body)).toEqual(instancesOf(body));
      const items = await listed();
      expect(items.map((item) => [item.ref, item.version])).toEqual([[found.ref, found.version]]);
      expect(items[0]?.body).toEqual(found.item.body);
    }

    it('a created event is read back as given, in its own zone and without a mirror tag', async () => {
      const notes = options.differs?.manglesBackslashN === undefined ? 'one\ntwo\\n' : 'one\ntwo';
      const core: Core = { ...plain, title: `Zoë; "Q&A", \\ 🗓 ${'ß'.repeat(90)}`, location: 'A, B; C', notes };
      const body: Single = { kind: 'single', when: berlin('2027-03-08T09:00:00'), core };
      const found = await create(body);
      await expectStands(found, body);
      expect(found.item.body).toMatchObject({ when: body.when, core: { ...core, self: expect.anything() } });
      expect(await read(found.ref)).toMatchObject({ version: found.version, item: { body: found.item.body } });
    });

    it('a requested conference gives a new event one meeting link, however often it is requested', async ({ skip }) => {
      if (options.conference === undefined) return skip('its provider makes none');
      const body: Single = { kind: 'single', when: berlin('2027-03-08T09:00:00'), core: { ...plain, title: 'Intro' } };
      const asked = { tellGuests: false, conference: true };
      const found = await events.create(world.calendarRef, eventIdentity(1), body, asked, signal());
      const link = (bodyOf(found.item) as Single).core.joinUrl;
      expect(link).toMatch(/^https:/);
      expect(await events.find(world.calendarRef, eventIdentity(1), signal())).toMatchObject({ ref: found.ref });
      const { core } = bodyOf(found.item) as Single;
      const moved = await change(found, { ...body, when: berlin('2027-03-08T11:00:00'), core });
      expect(bodyOf(moved.item)).toMatchObject({ when: berlin('2027-03-08T11:00:00'), core: { joinUrl: link } });
      expect((bodyOf((await create(body, 2)).item) as Single).core.joinUrl).toBeUndefined();
    });

    it('an event keeps its busy status, privacy, join link and reminders', async () => {
      const core: Core = {
        ...plain,
        busy: 'free',
        private: true,
        joinUrl: 'https://zoom.us/j/123456789',
        reminders: [15],
      };
      const found = await create({ kind: 'single', when: berlin('2027-03-08T09:00:00'), core });
      expect(found.item.body).toMatchObject({ core: { ...core, self: expect.anything() } });
      const { joinUrl: _, ...rest } = bodyOf(found.item).core;
      const after = { ...bodyOf(found.item), core: { ...rest, busy: 'tentative', private: false, reminders: [60] } };
      const changed = await change(found, after as MirrorBody);
      expect(changed.item.body).toMatchObject({ core: { busy: 'tentative', private: false, reminders: [60] } });
      expect(bodyOf(changed.item).core.joinUrl).toBeUndefined();
    });

    it('an identity never gets a second event, and an event whose response was lost is found', async () => {
      const body: Single = { kind: 'single', when: berlin('2027-03-08T09:00:00'), core: plain };
      const find = (n: number) => events.find(world.calendarRef, eventIdentity(n), signal());
      expect(await find(1)).toBeNull();
      const first = await create(body);
      const again = await outcomeOf(create({ ...body, when: berlin('2027-03-09T09:00:00') }));
      if (again.error === undefined) expect(again.value?.ref).toBe(first.ref);
      else expect(again.error.kind).toBe('precondition');
      expect(await find(1)).toMatchObject({ ref: first.ref, version: first.version, item: { body: first.item.body } });
      expect(await find(2)).toBeNull();
      await expectStands(first, body);
    });

    it('a changed title leaves all other properties of a foreign event, unknown ones included', async () => {
      const ref = await world.user.put({
        uid: 'lunch@example.org',
        title: 'Lunch',
        when: berlin('2027-03-08T09:00:00'),
        notes: 'Bring, the; menu',
      });
      await world.user.mark?.(ref);
      const found = must(await read(ref));
      const changed = await change(found, {
        ...bodyOf(found.item),
        core: { ...bodyOf(found.item).core, title: 'Tea' },
      });
      expect(changed.ref).toBe(ref);
      expect(changed.version).not.toBe(found.version);
      await expectStands(changed, { ...bodyOf(found.item), core: { ...bodyOf(found.item).core, title: 'Tea' } });
      expect(changed.item.body).toMatchObject({ core: { notes: 'Bring, the; menu' } });
      if (world.user.isMarked !== undefined) expect(await world.user.isMarked(ref)).toBe(true);
    });

    it('a written event does not come back in the next pull', async ({ skip }) => {
      if (options.differs?.refetchesOwnWrites !== undefined) return skip(options.differs.refetchesOwnWrites);
      const { cursor } = (await pullAll(world, {})).end;
      const found = await create({ kind: 'single', when: berlin('2027-03-08T09:00:00'), core: plain });
      const next = await pullAll(world, { cursor, known: knownFrom([found.item]) });
      expect(next.items).toEqual([]);
      expect(next.gone).toEqual([]);
    });

    it('an event can be moved to another time, another zone, whole days and back', async () => {
      const at: Single = { kind: 'single', when: berlin('2027-03-08T09:00:00'), core: plain };
      const days: Single = { ...at, when: { kind: 'all-day', start: '2027-03-08', end: '2027-03-10' } };
      const away: Single = {
        ...at,
        when: { kind: 'zoned', start: '2027-03-15T18:30:00', zone: 'America/New_York', duration: { seconds: 5_400 } },
      };
      let found = await create(at);
      for (const body of [away, days, at]) {
        found = await change(found, { ...bodyOf(found.item), when: body.when });
        await expectStands(found, body);
        expect(bodyOf(found.item).when).toEqual(body.when);
      }
    });

    it('an attendee can be invited and removed again', async () => {
      const [ann, bob] = [{ email: 'ann@example.org', name: 'Ann, of "Work"' }, { email: 'bob@example.org' }];
      const found = await create({ kind: 'single', when: berlin('2027-03-08T09:00:00'), core: plain });
      const core = (item: Item) => bodyOf(item).core;
      const both = await change(found, { ...bodyOf(found.item), core: { ...core(found.item), attendees: [ann, bob] } });
      expect(
        core(both.item)
          .attendees?.map(({ email }) => email)
          .sort(),
      ).toEqual([ann.email, bob.email]);
      const left = core(both.item).attendees?.filter(({ email }) => email === bob.email) ?? [];
      const one = await change(both, { ...bodyOf(both.item), core: { ...core(both.item), attendees: left } });
      expect(core(one.item).attendees?.map(({ email }) => email)).toEqual([bob.email]);
    });

    it('a series with a cancelled and a changed instance is created over a daylight saving change', async () => {
      const found = await create(weekly());
      await expectStands(found, weekly());
      expect(instancesOf(found.item.body)).toHaveLength(7);
    });

    it('a change of one instance leaves the rest of the series', async () => {
      const found = await create(weekly());
      const moved = { when: berlin('2027-04-06T16:00:00', 1_800), core: { ...plain, title: 'Once in the afternoon' } };
      const body = seriesOf(found.item);
      const after = { ...body, overrides: { ...body.overrides, '20270405T070000Z': moved } };
      const changed = await change(found, after);
      await expectStands(changed, { ...weekly(), overrides: { ...weekly().overrides, '20270405T070000Z': moved } });
    });

    it('an instance of a series can be cancelled, a changed one too', async () => {
      const found = await create(weekly());
      const exdates = [...weekly().exdates, '20270322T080000Z', movedId];
      const changed = await change(found, { ...seriesOf(found.item), exdates: exdates.sort(), overrides: {} });
      await expectStands(changed, { ...weekly(), exdates, overrides: {} });
      expect(instancesOf(changed.item.body)).toHaveLength(5);
    });

    it('a series can be ended before one of its instances', async () => {
      const found = await create(weekly());
      const rules = ['FREQ=WEEKLY;UNTIL=20270328T065959Z'];
      const changed = await change(found, { ...seriesOf(found.item), rules, overrides: {} });
      await expectStands(changed, { ...weekly(), rules, overrides: {} });
      expect(instancesOf(changed.item.body)).toHaveLength(2);
    });

    it('a change of a whole series keeps its cancelled and changed instances', async () => {
      const found = await create(weekly());
      const body = seriesOf(found.item);
      const changed = await change(found, { ...body, core: { ...body.core, title: 'Renamed' } });
      await expectStands(changed, { ...weekly(), core: { ...plain, title: 'Renamed' } });
      expect(instancesOf(changed.item.body).map(({ title }) => title)).toContain('Moved');
    });

    it('a moved series takes its cancelled and changed instances along', async () => {
      const found = await create(weekly());
      const later: Series = {
        ...weekly(),
        when: berlin('2027-03-08T11:00:00'),
        exdates: ['20270315T100000Z'],
        overrides: { '20270329T090000Z': moved() },
      };
      const { when, exdates, overrides } = later;
      const changed = await change(found, { ...seriesOf(found.item), when, exdates, overrides });
      await expectStands(changed, later);
    });

    it('an event that was changed meanwhile is not overwritten', async () => {
      const found = await create({ kind: 'single', when: berlin('2027-03-08T09:00:00'), core: plain });
      await world.user.retitle(found.ref, 'Mine now');
      const core = { ...bodyOf(found.item).core, title: 'Lost' };
      expect(await kindOf(change(found, { ...bodyOf(found.item), core }))).toBe('precondition');
      if (options.differs?.losesRaces === undefined) {
        expect(await kindOf(events.remove(world.calendarRef, found, quietly, signal()))).toBe('precondition');
      }
      expect((await listed()).map((item) => bodyOf(item).core.title)).toEqual(['Mine now']);
    });

    it('an event that was deleted meanwhile is reported as gone and not created again', async () => {
      const found = await create({ kind: 'single', when: berlin('2027-03-08T09:00:00'), core: plain });
      await world.user.remove(found.ref);
      const core = { ...bodyOf(found.item).core, title: 'Back' };
      expect(await read(found.ref)).toBeNull();
      expect(await kindOf(change(found, { ...bodyOf(found.item), core }))).toBe('not-found');
      expect(await kindOf(events.remove(world.calendarRef, found, quietly, signal()))).toBe('not-found');
      expect(await listed()).toEqual([]);
    });

    it('an event can be deleted', async () => {
      const found = await create(weekly());
      await events.remove(world.calendarRef, found, quietly, signal());
      expect(await listed()).toEqual([]);
      expect(await read(found.ref)).toBeNull();
    });

    it('a deleted calendar is reported as gone', async ({ skip }) => {
      if (world.removeCalendar === undefined) return skip('a calendar cannot be removed here');
      const found = await create({ kind: 'single', when: berlin('2027-03-08T09:00:00'), core: plain });
      await world.removeCalendar();
      expect(await kindOf(read(found.ref))).toBe('not-found');
      expect(await kindOf(create({ kind: 'single', when: berlin('2027-03-08T09:00:00'), core: plain }, 2))).toBe(
        'not-found',
      );
    });
  });
}

function eventIdentity(n: number): EventIdentity {
  const key = `c0nf0rm1ng${String(n).padStart(9, '0')}vv`;
  return { key, uid: `${key}@holdfast.invalid` };
}

const plain: Core = { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Planning' };

function berlin(start: string, seconds = 3_600): When {
  return { kind: 'zoned', start, zone: 'Europe/Berlin', duration: { seconds } };
}

/** 9:00 in Berlin is 8:00 UTC until 28 March 2027 and 7:00 after. */
const movedId = '20270329T070000Z';

function moved(): { when: When; core: Core } {
  return { when: berlin('2027-03-30T14:00:00'), core: { ...plain, title: 'Moved' } };
}

function weekly(): Series {
  const { when, core } = moved();
  return {
    kind: 'series',
    when: berlin('2027-03-08T09:00:00'),
    core: plain,
    rules: ['FREQ=WEEKLY;COUNT=8'],
    exRules: [],
    extraDates: [],
    exdates: ['20270315T080000Z'],
    overrides: { [movedId]: { when, core } },
  };
}

/** Instances of an event in 2027. */
function instancesOf(body: EventBody): { starts: string; ends: string; title: string | undefined }[] {
  const instant = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
  const window = { fromMs: instant('2027-01-01T00:00:00Z'), toMs: instant('2028-01-01T00:00:00Z') };
  const { list, problems } = occurrencesOf(body, 'UTC', 'UTC', window, { instances: 100, steps: 1_000 });
  expect(problems).toEqual([]);
  const print = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
  return list.map(({ startMs, endMs, core }) => ({ starts: print(startMs), ends: print(endMs), title: core.title }));
}

function bodyOf({ body }: Item): MirrorBody {
  if (body.kind === 'single' || body.kind === 'series') return body;
  throw new Error(`An event came back as ${JSON.stringify(body)}`);
}

function seriesOf(item: Item): Series {
  const body = bodyOf(item);
  if (body.kind !== 'series') throw new Error('A series came back as a single event');
  return body;
}

function must<T>(value: T | null): T {
  if (value === null) throw new Error('It is not there');
  return value;
}
