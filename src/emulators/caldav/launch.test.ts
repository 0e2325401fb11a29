import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type LaunchedEmulator, launch } from './launch.ts';

/** The emulator as tests and benches meet it: a process of its own, reached over loopback. */

let emulator: LaunchedEmulator;
beforeAll(async () => {
  emulator = await launch();
});
afterAll(() => emulator.stop());
beforeEach(async () => {
  await emulator.reset();
  await emulator.seed({ user: 'alice', calendar: 'work' });
});

const headers = {
  authorization: `Basic ${Buffer.from('alice:secret').toString('base64')}`,
  'content-type': 'text/calendar',
};
const EVENT =
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:t\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20270101T090000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';
const url = () => `${emulator.url}/calendars/alice/work/a.ics`;
const put = () => fetch(url(), { method: 'PUT', headers, body: EVENT });
const names = async () => Object.keys((await emulator.snapshot()).users.alice!.calendars.work!.objects);

it('the launched CalDAV emulator stores an object and records every request', async () => {
  expect((await put()).status).toBe(201);
  expect(await (await fetch(url(), { headers })).text()).toBe(EVENT);
  expect(await emulator.ledger()).toMatchObject([
    { n: 1, operation: 'create', status: 201, applied: true },
    { n: 2, operation: 'get', status: 200 },
  ]);
});

it('a connection is cut after the write was applied', async () => {
  await emulator.addFaults({ op: 'put', phase: 'after', effect: { kind: 'reset' } });
  await expect(put()).rejects.toThrow('fetch failed');
  expect(await names()).toEqual(['a.ics']);
});

it('a response is cut short of its Content-Length', async () => {
  await put();
  await emulator.addFaults({ op: 'get', effect: { kind: 'truncated', keep: 0.5 } });
  const response = await fetch(url(), { headers });
  expect(response.headers.get('content-length')).toBe(String(EVENT.length));
  await expect(response.text()).rejects.toThrow('terminated');
});

it('a slow response arrives a few bytes at a time', async () => {
  await put();
  await emulator.addFaults({ op: 'get', effect: { kind: 'slow', bytesPerSecond: 500 } });
  const started = performance.now();
  expect(await (await fetch(url(), { headers })).text()).toBe(EVENT);
  expect(performance.now() - started).toBeGreaterThan(150);
});

it('latency is added to every request', async () => {
  await emulator.setLatency(50);
  const started = performance.now();
  await put();
  expect(performance.now() - started).toBeGreaterThanOrEqual(49);
});

it.each([
  ['drop', []],
  ['apply-and-reset', ['a.ics']],
] as const)('a parked request whose client is gone can be released with "%s"', async (how, expected) => {
  const hold = await emulator.hold({ op: 'create' });
  const client = request(url(), { method: 'PUT', headers });
  client.on('error', () => undefined); // the kill below
  client.end(EVENT);
  expect(await hold.parked()).toMatchObject({ method: 'PUT', path: '/calendars/alice/work/a.ics', body: EVENT });
  client.destroy();
  expect(await names()).toEqual([]);
  await hold.release(how);
  expect(await names()).toEqual([...expected]);
});

it('a parked request is answered when it is released with "answer"', async () => {
  const hold = await emulator.hold({ op: 'create', phase: 'after' });
  const answer = put();
  await hold.parked();
  expect(await names()).toEqual(['a.ics']);
  await hold.release('answer');
  expect((await answer).status).toBe(201);
});

it('a command for an unknown user is refused with a reason', async () => {
  const command = { user: 'nobody', calendar: 'work', do: 'delete', pick: 0 } as const;
  await expect(emulator.act(command)).rejects.toThrow('no user nobody');
});
