import { afterEach, expect, test } from 'vitest';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { type ProviderWorld, startProviderWorld } from '../../../test/harness/provider-world.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { tick } from '../sync/tick.ts';
import { bookingContract } from './contract.ts';

const minuteMs = 60_000;
/** A Monday, nine o'clock in New York. */
const nine = Date.UTC(2027, 2, 8, 14);
const allowedMs = 2 * minuteMs;
const account = 'person@microsoft.example';

let world: ProviderWorld;
afterEach(() => world.close());

async function bookAt(clock: ReturnType<typeof fixedClock>, push: boolean) {
  world = await startProviderWorld({ clock, push });
  const calendars = [{ key: 'calendar', name: 'Calendar', isDefault: true }];
  await world.microsoft.control.seed({ account, timeZone: 'America/New_York', calendars });
  await world.connect('microsoft', account);
  await world.settle();
  const { path } = await insertBookable(world.server, world.person, 'intro');
  const payload = { start: nine / minuteMs, name: 'Bo Li', email: 'bo@example.net', zone: 'UTC' };
  const response = await world.server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  expect(response.statusCode, response.body).toBe(201);
  await world.settle();
}

/** Somebody puts a meeting over the booking, in Outlook. */
const putOver = () =>
  world.microsoft.control.act({
    account,
    do: 'create',
    calendar: 'calendar',
    event: { subject: 'Board', start: '2027-03-08T09:00:00', minutes: 30, zone: 'America/New_York' },
  });

const alerts = async () => {
  const { questions } = await world.person.as(bookingContract).listQuestions({});
  const mails = await readMails(world.server, 'person@example.org');
  return {
    asked: questions.map(({ kind, asked_at: atMs }) => ({ kind, atMs })),
    mailed: mails.filter(({ subject }) => subject.startsWith('Conflict: ')).length,
  };
};

test('a later conflict reaches its host within two minutes, by polling alone', {
  timeout: 60_000,
}, async () => {
  const clock = fixedClock('2027-03-01T13:00:00Z');
  await bookAt(clock, false);
  await putOver();
  const cameMs = clock.nowMs();
  expect((await alerts()).asked).toEqual([]);
  while ((await alerts()).mailed === 0 && clock.nowMs() - cameMs < allowedMs) {
    clock.advance({ seconds: 30 });
    await tick(world.server.app);
    await world.settle();
  }
  const { asked, mailed } = await alerts();
  expect({ kinds: asked.map(({ kind }) => kind), mailed }).toEqual({ kinds: ['conflict'], mailed: 1 });
  expect((asked[0]?.atMs ?? Number.NaN) - cameMs).toBeLessThanOrEqual(allowedMs);
});
