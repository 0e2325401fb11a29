import { describe, expect, it } from 'vitest';
import { ProviderError } from '#kernel/errors.ts';
import type { Core, Series } from '#kernel/event.ts';
import { contentHash } from '#kernel/event-hash.ts';
import { normaliseBody } from '#kernel/ical/normalise-body.ts';
import { fixedZone } from '#kernel/time/event-zone.ts';
import { emulateGoogle } from '../../../test/harness/emulated-google.ts';
import { fixedTokens, googleAccount, openEmulatedGoogle } from '../../../test/harness/google-world.ts';
import { conformanceIdentity, conformanceTags } from '../conformance.ts';
import type { MirrorBody } from '../port.ts';
import { eventIdOf } from './mirror-id.ts';

/** Writes, and every way in which Google can fail them. */

const core: Core = { busy: 'busy', private: true, self: 'none', kind: 'default', title: 'Busy' };
const at = (start: string): MirrorBody => ({
  kind: 'single',
  when: { kind: 'zoned', start, zone: 'UTC', duration: { seconds: 1_800 } },
  core,
});
const first = at('2027-03-08T09:00:00');
const second = at('2027-03-09T09:00:00');
const weekly: Series = {
  kind: 'series',
  when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'Europe/Berlin', duration: { seconds: 1_800 } },
  core,
  rules: ['FREQ=WEEKLY;COUNT=8'],
  exRules: [],
  extraDates: [],
  exdates: ['20270322T080000Z'],
  overrides: {},
};

const identity = conformanceIdentity(1);
const id = eventIdOf(identity);

async function open(more: { timeoutMs?: number } = {}) {
  const emulated = emulateGoogle();
  await emulated.control.seed({ account: googleAccount, calendars: [] });
  const { token, api } = await emulated.signIn(googleAccount);
  const provider = openEmulatedGoogle(emulated, fixedTokens(token.access_token), conformanceTags, more);
  const signal = AbortSignal.timeout(10_000);
  return {
    ...emulated,
    api,
    provider,
    create: (body: MirrorBody = first) => provider.createMirror(googleAccount, identity, body, signal),
    update: (current: { ref: string; version: string }, body: MirrorBody = second) =>
      provider.updateMirror(googleAccount, current, identity, body, signal),
    remove: (current: { ref: string; version: string }) => provider.deleteMirror(googleAccount, current, signal),
    find: () => provider.findMirror(googleAccount, identity, signal),
    act: (command: Record<string, unknown>) => emulated.control.act({ account: googleAccount, ...command } as never),
    /** Events in the calendar, as the person sees them. */
    stands: async () =>
      (await emulated.control.snapshot()).accounts[googleAccount]?.calendars[googleAccount]?.events ?? [],
    /** Successful and lost writes alike, as the server counts them. */
    applied: async (operation: string) =>
      (await emulated.control.ledger()).filter((entry) => entry.operation === operation && entry.applied).length,
  };
}

async function refusalOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw error;
  expect(error.message).toMatch(/^.{15,}[.]$/s);
  return error;
}

describe('mirrors', () => {
  it('a mirror is written as a private, opaque event without reminders and notifies nobody', async () => {
    const world = await open();
    await world.create();
    const [event] = await world.stands();
    expect(event).toMatchObject({
      id,
      summary: 'Busy',
      status: 'confirmed',
      transparency: 'opaque',
      visibility: 'private',
      reminders: { useDefault: false, overrides: [] },
      extendedProperties: { private: { holdfast: identity.tag } },
    });
    expect(event).not.toHaveProperty('attendees');
    const written = (await world.control.ledger()).filter(({ operation }) => operation === 'events.insert');
    expect(written.map(({ query }) => new URLSearchParams(query).get('sendUpdates'))).toEqual(['none']);
  });

  it('a mirror takes one request each to create, update and delete', async () => {
    const world = await open();
    const created = await world.create();
    const updated = await world.update(created);
    await world.remove(updated);
    const events = (await world.control.ledger()).filter(({ operation }) => operation.startsWith('events.'));
    expect(events.map(({ operation, ifMatch }) => [operation, ifMatch])).toEqual([
      ['events.insert', null],
      ['events.patch', created.version],
      ['events.delete', updated.version],
    ]);
  });

  it('an updated mirror loses its previous text, color, rule and time of day', async () => {
    const world = await open();
    const rich: Series = {
      ...weekly,
      core: { ...core, busy: 'oof', location: 'Room', notes: 'Notes', color: '#ff6347', private: false },
    };
    const created = await world.create(rich);
    const bare: MirrorBody = {
      kind: 'single',
      when: { kind: 'all-day', start: '2027-03-08', end: '2027-03-09' },
      core,
    };
    await world.update(created, bare);
    const found = await world.find();
    expect(found?.item.body).toEqual(normaliseBody(bare));
    const [event] = await world.stands();
    for (const gone of ['recurrence', 'location', 'description', 'colorId']) expect(event).not.toHaveProperty(gone);
  });

  it('an updated mirror loses guests that somebody added, and their answers', async () => {
    const world = await open();
    const created = await world.create();
    const guests = [
      { email: googleAccount, responseStatus: 'declined' },
      { email: 'bob@example.com', responseStatus: 'accepted' },
    ];
    await world.act({ do: 'edit', pick: 'Busy', patch: { attendees: guests } });
    const changed = await world.find();
    expect(changed?.item.body).toMatchObject({ core: { busy: 'free' } });
    await world.update({ ...created, version: changed?.item.version ?? '' });
    expect((await world.find())?.item.body).toMatchObject({ core: { busy: 'busy' } });
    const [event] = await world.stands();
    expect(event?.attendees ?? []).toEqual([]);
  });

  it('a mirror without length is written with one minute', async () => {
    const world = await open();
    await world.create({
      kind: 'single',
      when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'UTC', duration: { seconds: 0 } },
      core,
    });
    expect((await world.find())?.item.body).toMatchObject({ when: { duration: { seconds: 60 } } });
  });

  it('a mirror is found when a Workspace drops extended properties', async () => {
    const world = await open();
    await world.control.knobs({ dropsExtendedProperties: true });
    await world.create();
    expect(await world.find()).toMatchObject({ item: { provenance: 'own', uid: identity.uid, body: first } });
  });

  it.each([
    ['a zone without a name', { ...weekly, when: { ...weekly.when, zone: fixedZone(5_400_000).id } }],
    ['moved instances', { ...weekly, overrides: { '20270315T080000Z': { when: weekly.when, core } } }],
    [
      'floating times',
      { ...first, when: { kind: 'floating', start: '2027-03-08T09:00:00', duration: { seconds: 60 } } },
    ],
  ] as [string, MirrorBody][])('a mirror with %s is refused before any request', async (_, body) => {
    const world = await open();
    expect(await refusalOf(world.create(body))).toMatchObject({ kind: 'rejected', code: 'UNSUPPORTED' });
    expect(await world.applied('events.insert')).toBe(0);
  });
});

describe('inserts', () => {
  it.each(['reset', 'timeout', '502'])(
    'an insert whose response is lost by %s is found and exists once',
    async (variant) => {
      const world = await open({ timeoutMs: 600 });
      await world.control.addFaults({ name: 'F2', variant });
      expect(await refusalOf(world.create())).toMatchObject({ kind: 'transient' });
      const found = await world.find();
      expect(found).toMatchObject({ ref: id, item: { provenance: 'own' } });
      expect(contentHash(found!.item.body)).toBe(contentHash(normaliseBody(first)));
      // And a second attempt makes no second event.
      expect(await refusalOf(world.create())).toMatchObject({ kind: 'precondition' });
      expect(await world.stands()).toHaveLength(1);
    },
  );

  it.each(['reset', 'timeout'])('an insert lost before it arrived (%s) can be repeated', async (variant) => {
    const world = await open({ timeoutMs: 600 });
    await world.control.addFaults({ name: 'F1', variant });
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'transient' });
    expect(await world.find()).toBeNull();
    expect(await world.create()).toMatchObject({ ref: id });
  });

  it('an insert whose response is cut off has an unknown outcome', async () => {
    const world = await open();
    await world.control.addFaults({ name: 'F4', op: 'events.insert' });
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'transient' });
    expect(await world.find()).toMatchObject({ ref: id });
  });

  it('an insert with the id of a deleted event restores that event with the new body', async () => {
    const world = await open();
    const created = await world.create(weekly);
    await world.remove(created);
    await world.control.clearLedger();
    const again = await world.create(second);
    expect(again.ref).toBe(created.ref);
    expect(again.version).not.toBe(created.version);
    expect(await world.control.ledger()).toHaveLength(3);
    expect(await world.find()).toMatchObject({ version: again.version, item: { body: second, provenance: 'own' } });
    expect(await world.stands()).toHaveLength(1);
  });

  it('an insert is refused if the deleted event of its id cannot be restored', async () => {
    const world = await open();
    const created = await world.create();
    await world.act({ do: 'delete', pick: created.ref });
    await world.control.addFaults({ op: 'events.patch', effect: { kind: 'status', status: 403 } });
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'precondition', code: 'ALREADY_THERE' });
    expect(await world.find()).toBeNull();
    const next = await world.provider.createMirror(
      googleAccount,
      conformanceIdentity(1, 2),
      first,
      AbortSignal.timeout(5_000),
    );
    expect(next.ref).not.toBe(created.ref);
    expect(await world.stands()).toHaveLength(1);
  });

  it.each(['reset', '502'])(
    'an insert that restores an event and loses its response by %s is found',
    async (variant) => {
      const world = await open();
      await world.remove(await world.create());
      await world.control.addFaults({ name: 'F2', variant, op: 'events.patch' });
      expect(await refusalOf(world.create(second))).toMatchObject({ kind: 'transient' });
      expect(await refusalOf(world.create(second))).toMatchObject({ kind: 'precondition' });
      expect(await world.find()).toMatchObject({ item: { body: second } });
      expect(await world.stands()).toHaveLength(1);
    },
  );

  it('an insert refused as a duplicate does not take a foreign event for its mirror', async () => {
    const world = await open();
    const answer = await world.api('POST', `/calendars/${googleAccount}/events`, {
      id: id.slice(0, -2),
      summary: 'Not ours',
      start: { date: '2027-03-08' },
      end: { date: '2027-03-09' },
    });
    expect(answer.status).toBe(200);
    await world.control.addFaults({ name: 'G13' });
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'precondition' });
    expect(await world.find()).toBeNull();
  });

  it('an undetected duplicate insert is removed again', async () => {
    const world = await open();
    await world.create();
    await world.control.addFaults({ name: 'G14' });
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'precondition', code: 'ALREADY_THERE' });
    expect((await world.stands()).map((event) => event.id)).toEqual([id]);
  });
});

describe('updates', () => {
  it.each(['reset', 'timeout', '502'])('an update whose response is lost by %s is found applied', async (variant) => {
    const world = await open({ timeoutMs: 600 });
    const created = await world.create();
    await world.control.addFaults({ name: 'F2', variant });
    expect(await refusalOf(world.update(created))).toMatchObject({ kind: 'transient' });
    const found = await world.find();
    expect(contentHash(found!.item.body)).toBe(contentHash(normaliseBody(second)));
    // The version we held is stale by our own doing: the next attempt says so instead of writing.
    expect(await refusalOf(world.update(created))).toMatchObject({ kind: 'precondition' });
  });

  it('an update of an outdated version is refused and writes nothing', async () => {
    const world = await open();
    const created = await world.create();
    await world.control.addFaults({ name: 'G15' });
    expect(await refusalOf(world.update(created))).toMatchObject({ kind: 'precondition', code: 'CHANGED_MEANWHILE' });
    expect((await world.find())?.version).toBe(created.version);
    expect(await world.update(created)).toMatchObject({ ref: id });
  });

  it('an update reserved to the organizer makes the calendar read-only', async () => {
    const world = await open();
    const created = await world.create();
    await world.control.addFaults({ name: 'G9' });
    expect(await refusalOf(world.update(created))).toMatchObject({ kind: 'rejected', code: 'READ_ONLY' });
  });

  it('an update in an unshared calendar reports the calendar as gone', async () => {
    const world = await open();
    await world.control.seed({
      account: googleAccount,
      calendars: [{ id: 'team@group', owner: 'boss@example.org', role: 'writer' }],
    });
    const signal = AbortSignal.timeout(5_000);
    const created = await world.provider.createMirror('team@group', identity, first, signal);
    await world.act({ do: 'unshare', calendar: 'team@group' });
    const update = world.provider.updateMirror('team@group', created, identity, second, signal);
    expect(await refusalOf(update)).toMatchObject({ kind: 'not-found', code: 'CALENDAR_GONE' });
    const find = world.provider.findMirror('team@group', identity, signal);
    expect(await refusalOf(find)).toMatchObject({ kind: 'not-found', code: 'CALENDAR_GONE' });
  });

  it('a write in a calendar that became read-only is refused as read-only', async () => {
    const world = await open();
    await world.control.seed({
      account: googleAccount,
      calendars: [{ id: 'team@group', owner: 'boss@example.org', role: 'writer' }],
    });
    const signal = AbortSignal.timeout(5_000);
    const created = await world.provider.createMirror('team@group', identity, first, signal);
    await world.act({ do: 'set-role', calendar: 'team@group', role: 'reader' });
    for (const write of [
      world.provider.updateMirror('team@group', created, identity, second, signal),
      world.provider.deleteMirror('team@group', created, signal),
      world.provider.createMirror('team@group', conformanceIdentity(2), first, signal),
    ]) {
      expect(await refusalOf(write)).toMatchObject({ kind: 'rejected', code: 'READ_ONLY' });
    }
  });
});

describe('deletions', () => {
  it.each(['reset', 'timeout', '502'])('a deletion whose response is lost by %s was applied', async (variant) => {
    const world = await open({ timeoutMs: 600 });
    const created = await world.create();
    await world.control.addFaults({ name: 'F2', variant });
    expect(await refusalOf(world.remove(created))).toMatchObject({ kind: 'transient' });
    expect(await refusalOf(world.remove(created))).toMatchObject({ kind: 'not-found' });
    expect(await world.find()).toBeNull();
  });

  it.each(['deleted', 'notFound'])('a deletion of a missing event (%s) reports it as not found', async (variant) => {
    const world = await open();
    const created = await world.create();
    await world.control.addFaults({ name: 'G16', variant });
    expect(await refusalOf(world.remove(created))).toMatchObject({ kind: 'not-found', code: 'NOT_FOUND' });
  });
});

describe('all writes', () => {
  it.each([
    ['F3', '500', 'transient', 'SERVER_ERROR'],
    ['F3', '504', 'transient', 'SERVER_ERROR'],
    ['G6', 'rateLimitExceeded', 'rate-limited', 'TOO_MANY_REQUESTS'],
    ['G6', '429', 'rate-limited', 'TOO_MANY_REQUESTS'],
    ['G7', 'quotaExceeded', 'rejected', 'QUOTA'],
    ['G8', 'insufficientPermissions', 'auth', 'SCOPE_MISSING'],
    ['G17', 'requiredAccessLevel', 'rejected', 'READ_ONLY'],
  ] as const)('a write under %s %s reports %s %s and changes nothing', async (name, variant, kind, code) => {
    const world = await open();
    const created = await world.create();
    await world.control.addFaults({ name, variant, times: 0, op: 'write' });
    for (const write of [
      world.update(created),
      world.remove(created),
      world.provider.createMirror(googleAccount, conformanceIdentity(2), first, AbortSignal.timeout(5_000)),
    ]) {
      expect(await refusalOf(write)).toMatchObject({ kind, code });
    }
    await world.control.clearFaults();
    expect(await world.find()).toMatchObject({ version: created.version });
    expect(await world.stands()).toHaveLength(1);
  });

  it('a write succeeds with an expired token that is replaced', async () => {
    const world = await open();
    await world.control.addFaults({ name: 'G5' });
    const created = await world.create();
    await world.control.addFaults({ name: 'G5' });
    const updated = await world.update(created);
    await world.control.addFaults({ name: 'G5' });
    await world.remove(updated);
    expect(await world.stands()).toEqual([]);
    for (const operation of ['events.insert', 'events.patch', 'events.delete']) {
      expect(await world.applied(operation)).toBe(1);
    }
  });
});

describe('series with instances changed by their user', () => {
  it('a series whose instances were changed by the user is restored instance by instance', async () => {
    const world = await open();
    const created = await world.create(weekly);
    await world.act({ do: 'move', pick: created.ref, at: '2027-03-15T09:00', minutes: 90 });
    await world.act({ do: 'delete', pick: created.ref, at: '2027-03-29T09:00' });
    await world.act({ do: 'edit', pick: created.ref, at: '2027-04-05T09:00', patch: { summary: 'Mine' } });
    const touched = await world.find();
    expect(touched?.version).not.toBe(created.version);
    expect(touched?.item.body).not.toEqual(normaliseBody(weekly));

    const restored = await world.update(touched!, weekly);
    const found = await world.find();
    expect(found?.item.body).toEqual(normaliseBody(weekly));
    expect(found?.version).toBe(restored.version);
    const times = (await world.stands()).flatMap((event) =>
      event.recurringEventId === undefined ? [] : [event.summary],
    );
    expect(times).toEqual(['Busy', 'Busy', 'Busy']);
  });

  it('a moved series loses the instances that its user changed', async () => {
    const world = await open();
    const created = await world.create(weekly);
    await world.act({ do: 'move', pick: created.ref, at: '2027-03-15T09:00', minutes: 90 });
    const later: Series = {
      ...weekly,
      when: { kind: 'zoned', start: '2027-03-09T11:00:00', zone: 'Europe/Berlin', duration: { seconds: 1_800 } },
      exdates: [],
    };
    const restored = await world.update((await world.find()) ?? created, later);
    const found = await world.find();
    expect(found?.item.body).toEqual(normaliseBody(later));
    expect(found?.version).toBe(restored.version);
    expect((await world.stands()).filter((event) => event.recurringEventId !== undefined)).toEqual([]);
  });

  it('a series with changed instances can become a single event, and reports its final version', async () => {
    const world = await open();
    const created = await world.create(weekly);
    await world.act({ do: 'move', pick: created.ref, at: '2027-03-15T09:00', minutes: 90 });
    const single = await world.update((await world.find()) ?? created, second);
    expect(await world.find()).toMatchObject({ version: single.version, item: { body: second } });
    expect(await world.stands()).toHaveLength(1);
  });

  it('a series without changed instances is written in one request', async () => {
    const world = await open();
    const created = await world.create(weekly);
    await world.control.clearLedger();
    await world.update(created, { ...weekly, exdates: [] });
    expect(await world.control.ledger()).toHaveLength(1);
  });
});
