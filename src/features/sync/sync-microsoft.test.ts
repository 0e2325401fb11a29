import { randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { connectControl } from '#emulators/kit/control-client.ts';
import type { MicrosoftDialect } from '#emulators/microsoft/launch.ts';
import type { SeedEvent } from '#emulators/microsoft/seed-command.ts';
import type { SnapshotEvent } from '#emulators/microsoft/snapshot.ts';
import type { CalendarId, ChannelId, ConnectionId } from '#kernel/ids.ts';
import { hashToken } from '#platform/crypto.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import { connectionsContract } from '../connections/contract.ts';
import { openSimulation } from '../simulation/providers.ts';
import { syncContract } from './contract.ts';
import { insertChannel, keepChannel } from './store/channels.ts';

/** Two mailboxes mirrored both ways: the engine over the adapter, what comes of a fault, and of time going by. */

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startWorld() {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-microsoft-'));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startTestApp({ config: { dataDir, simulatedProviders: true } });
  closing.push(server.close);
  const person = await signUpUser(server, 'dana@example.org');
  const connections = person.as(connectionsContract);
  const sync = person.as(syncContract);
  const simulation = await openSimulation(server.app, 'microsoft');
  if (simulation === null) throw new Error('Simulated accounts are off');
  const control = connectControl<MicrosoftDialect>(new URL(simulation.endpoints.apiUrl ?? '').origin);

  /** An account, with a calendar of its own that only this test writes to. */
  const openSide = async () => {
    const { account } = await connections.simulateConnect({ body: { provider: 'microsoft' } });
    const address = account.email ?? '';
    await control.seed({ account: address, calendars: [{ key: 'test', name: 'Test' }] });
    await sync.syncAccount({ params: { accountId: account.accountId } });
    await server.settle();
    const { calendars } = await connections.listIntegrationCalendars({});
    const own = calendars.find((one) => one.accountId === account.accountId && one.name === 'Test');
    if (own === undefined) throw new Error('The account did not tell its new calendar');
    const events = async (): Promise<SnapshotEvent[]> =>
      (await control.snapshot()).accounts[address]?.calendars.test?.events ?? [];
    return {
      address,
      accountId: account.accountId,
      calendarId: own.calendarId,
      events,
      blocks: async () => (await events()).filter((event) => event.transactionId !== null),
      create: async (event: SeedEvent) =>
        String((await control.act({ do: 'create', account: address, calendar: 'test', event })).id),
      act: (command: { do: 'edit'; event: string; changes: Partial<SeedEvent> } | { do: 'delete'; event: string }) =>
        control.act({ ...command, account: address }),
    };
  };
  const left = await openSide();
  const right = await openSide();
  await sync.createGroup({
    body: {
      name: 'Both',
      enabled: true,
      rule: { color: '#ff0000', privacy: 'details', titleTemplate: '{title}' },
      members: [left, right].map(({ calendarId }) => ({ calendarId, isSource: true, isTarget: true })),
      pairs: [],
    },
  });
  const pass = async () => {
    for (const { accountId } of [left, right]) await sync.syncAccount({ params: { accountId } });
    await server.settle();
  };
  const writes = async () =>
    (await control.ledger()).filter((entry) => /^(create|update|delete)-event$/.test(entry.operation));
  await pass();
  await control.clearLedger();
  return { server, control, left, right, pass, writes };
}

/** Nine o'clock in Berlin, so many days from today. */
function inDays(days: number): { start: string; zone: string } {
  const day = Temporal.Now.plainDateISO('UTC').add({ days });
  return { start: `${day.toString()}T09:00:00`, zone: 'W. Europe Standard Time' };
}

const meeting = (subject: string, days: number): SeedEvent => ({
  subject,
  minutes: 60,
  body: 'Notes\n\n',
  location: ' Here ',
  ...inDays(days),
});

describe('two mailboxes mirrored to each other', () => {
  test('each event of a mailbox has one mirror, each instance its own, and a second pass writes nothing', async () => {
    const { left, right, pass, writes, control } = await startWorld();
    await left.create(meeting('One', 3));
    await left.create({
      ...meeting('Daily', 5),
      repeat: { type: 'daily', count: 4 },
      cancelled: [inDays(6).start.slice(0, 10)],
    });
    await right.create({ subject: 'Holiday', start: inDays(9).start.slice(0, 10), showAs: 'oof' });
    await pass();
    expect((await right.blocks()).map((block) => block.subject).sort()).toEqual(['Daily', 'Daily', 'Daily', 'One']);
    expect((await left.blocks()).map((block) => [block.subject, block.isAllDay, block.sensitivity])).toEqual([
      ['Holiday', true, 'private'],
    ]);
    expect((await writes()).map((entry) => [entry.operation, entry.status])).toEqual(
      Array.from({ length: 5 }, () => ['create-event', 201]),
    );
    await control.clearLedger();
    await pass();
    await pass();
    expect(await writes()).toEqual([]);
  });

  test('a mirror in a mailbox follows its event, comes back once when deleted, and goes with its event', async () => {
    const { left, right, pass, writes } = await startWorld();
    const origin = await left.create(meeting('One', 3));
    await pass();
    await left.act({ do: 'edit', event: origin, changes: { subject: 'Moved', ...inDays(4) } });
    await pass();
    const [block] = await right.blocks();
    expect(block).toMatchObject({ subject: 'Moved' });
    expect(block?.start.slice(0, 10)).toBe(inDays(4).start.slice(0, 10));

    await right.act({ do: 'delete', event: block?.id ?? '' });
    await pass();
    await pass();
    const [again] = await right.blocks();
    expect(again?.transactionId).toContain(':2:');

    await left.act({ do: 'delete', event: origin });
    await pass();
    expect(await right.blocks()).toEqual([]);
    const done = (await writes()).map((entry) => entry.operation);
    expect(done.filter((operation) => operation === 'create-event')).toHaveLength(2);
  });

  for (const variant of ['reset', '502']) {
    test(`F2 ${variant} on every second write leaves each mirror once and no further writes`, {
      timeout: 90_000,
    }, async () => {
      const { left, right, pass, writes, control } = await startWorld();
      await control.addFaults({ name: 'F2', variant, probability: 0.5, times: 0 });
      const refs = [];
      for (let n = 1; n <= 6; n += 1) refs.push(await left.create(meeting(`${n}`, n)));
      await pass();
      await left.act({ do: 'edit', event: refs[0] ?? '', changes: { subject: 'New' } });
      await left.act({ do: 'delete', event: refs[1] ?? '' });
      await pass();
      await control.clearFaults();
      await expect
        .poll(
          async () => {
            await pass();
            return (await right.blocks()).map((block) => block.subject).sort();
          },
          // the retry of a refused write comes after a random delay
          { timeout: 45_000 },
        )
        .toEqual(['3', '4', '5', '6', 'New']);
      await pass();
      await control.clearLedger();
      await pass();
      expect(await writes()).toEqual([]);
    });
  }

  test('a listing without an event removes its mirror, and an event outside the time range is kept', async () => {
    const { server, left, right, pass, control } = await startWorld();
    const lost = await left.create(meeting('Lost', 3));
    const far = await left.create(meeting('Far', 10));
    // A listing of nothing at all is waited out; this one is of something.
    const kept = await left.create(meeting('Kept', 12));
    await pass();
    await left.act({ do: 'edit', event: far, changes: inDays(500) });
    await pass();
    const held = async () => {
      const { rows } = await sql<{ ref: string }>`
        select ref from calendar.items where calendar_id = ${left.calendarId} and gone_at is null and provenance = 'foreign'`.execute(
        server.app.db,
      );
      return rows.map((row) => row.ref).sort();
    };
    expect(await held()).toEqual([far, kept, lost].sort());
    // the deletion is not reported, because the token that would report it has expired
    await left.act({ do: 'delete', event: lost });
    await control.act({ do: 'expire-delta-tokens', account: left.address });
    await pass();
    await pass();
    expect(await held()).toEqual([far, kept].sort());
    expect((await right.blocks()).map((block) => block.subject)).toEqual(['Kept']);
  });

  test('M10: a notification that comes before its change can be read schedules another pull', async () => {
    const { server, left, control } = await startWorld();
    const { app } = server;
    const id = randomUUIDv7() as string as ChannelId;
    const secret = `${id}.${'s'.repeat(43)}`;
    const openedMs = app.clock.nowMs();
    const calendarId = left.calendarId as CalendarId;
    const connectionId = left.accountId as ConnectionId;
    await insertChannel(app.db, { id, calendarId, connectionId, openedMs, secretHash: hashToken(secret) });
    const expiresMs = openedMs + 600_000_000;
    await keepChannel(app.db, id, { ref: 'r', resource: 'r', openedMs, renewMs: expiresMs - 1_000, expiresMs });
    const notice = () =>
      server.inject({ method: 'POST', url: '/hooks/microsoft', payload: { value: [{ clientState: secret }] } });
    const nextReading = async () => {
      await server.settle();
      const { rows } = await sql<{ ms: number }>`
        select (extract(epoch from next_pull_at) * 1000)::bigint as ms from sync.pulls where calendar_id = ${calendarId}`.execute(
        app.db,
      );
      return (rows[0]?.ms ?? 0) - app.clock.nowMs();
    };
    await control.knobs({ lagMs: 30_000 });
    await left.create(meeting('Late', 3));
    expect((await notice()).statusCode).toBe(202);
    const waitMs = await nextReading();
    expect(waitMs).toBeGreaterThan(15_000);
    expect(waitMs).toBeLessThanOrEqual(30_000);
  });
});
