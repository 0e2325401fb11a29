import { beforeEach, expect, it } from 'vitest';
import { emulateGoogle } from '../../../test/harness/emulated-google.ts';
import type { ActCommand } from './act.ts';

/** Actions that tests can trigger: those of a person, and those of Google. */

type Act = ActCommand extends infer One ? (One extends ActCommand ? Omit<One, 'account'> : never) : never;

let google: ReturnType<typeof emulateGoogle>;
let api: Awaited<ReturnType<typeof google.signIn>>['api'];
let refreshToken: string;
const ADA = 'ada@example.com';
const EVENTS = '/calendars/primary/events';

beforeEach(async () => {
  google = emulateGoogle();
  await google.control.seed({
    account: ADA,
    timeZone: 'Europe/Berlin',
    calendars: [
      {
        events: [
          { summary: 'Talk', start: '2027-03-08T09:00', extendedProperties: { private: { tag: 'x' } } },
          { summary: 'Daily', start: '2027-03-08T12:00', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] },
        ],
      },
      { id: 'second' },
    ],
  });
  const signedIn = await google.signIn(ADA);
  api = signedIn.api;
  refreshToken = signedIn.token.refresh_token!;
});

const act = (command: Act) => google.control.act({ account: ADA, ...command } as ActCommand);
const events = async () => (await google.control.snapshot()).accounts[ADA]!.calendars[ADA]!;
const eventOf = async (title: string) => (await events()).events.find(({ summary }) => summary === title);
const list = async () => (await api('GET', EVENTS)).status;

it('a simulated user creates, edits, moves and deletes events found by id, title or position', async () => {
  const { id } = await act({ do: 'create', event: { summary: 'New', start: '2027-03-09' } });
  await act({ do: 'edit', pick: id!, patch: { transparency: 'transparent' } });
  expect(await eventOf('New')).toMatchObject({ id, transparency: 'transparent' });
  await act({ do: 'move', pick: 'New', minutes: 2 * 1_440 });
  expect(await eventOf('New')).toMatchObject({ start: { date: '2027-03-11' }, end: { date: '2027-03-12' } });
  await act({ do: 'move', pick: 0, minutes: -30 });
  expect(await eventOf('Talk')).toMatchObject({ start: { dateTime: '2027-03-08T08:30:00+01:00' } });
  await act({ do: 'delete', pick: 'New' });
  expect((await events()).cancelled).toEqual([id]);
  await expect(act({ do: 'delete', pick: 'New' })).rejects.toThrow('no event New');
});

it('a simulated user moves, declines and deletes single instances', async () => {
  await act({ do: 'move', pick: 'Daily', at: '2027-03-09T12:00', minutes: 60 });
  await act({ do: 'respond', pick: 'Daily', at: '2027-03-10T12:00', response: 'declined' });
  await act({ do: 'delete', pick: 'Daily', at: '2027-03-08T12:00' });
  const { events: live, cancelled } = await events();
  const exceptions = live.filter(({ recurringEventId }) => recurringEventId);
  expect(exceptions).toMatchObject([
    { start: { dateTime: '2027-03-09T13:00:00+01:00' } },
    { attendees: [{ email: ADA, responseStatus: 'declined' }], status: 'confirmed' },
  ]);
  expect(cancelled).toEqual([expect.stringMatching(/_20270308T110000Z$/)]);
});

it('a copied event keeps the private properties of its original', async () => {
  const { id } = await act({ do: 'copy', pick: 'Talk' });
  const copies = (await events()).events.filter(({ summary }) => summary === 'Talk');
  expect(copies).toHaveLength(2);
  expect(copies.find((copy) => copy.id === id)).toMatchObject({ extendedProperties: { private: { tag: 'x' } } });
});

it('a simulated user shares, unshares, hides and deletes calendars', async () => {
  await google.control.seed({ account: 'bob@example.com' });
  await act({ do: 'share', calendar: 'second', with: 'bob@example.com', role: 'writer' });
  const bob = (await google.signIn('bob@example.com')).api;
  expect((await bob('GET', '/calendars/second/events')).body).toMatchObject({ accessRole: 'writer' });
  await google.control.act({ account: 'bob@example.com', calendar: 'second', do: 'unshare' });
  expect((await bob('GET', '/calendars/second/events')).status).toBe(404);
  await act({ do: 'delete-calendar', calendar: 'second' });
  expect((await api('GET', '/calendars/second/events')).status).toBe(404);
});

it('access tokens can expire alone or be revoked together with the refresh token', async () => {
  await act({ do: 'expire-access-tokens' });
  expect(await list()).toBe(401);
  expect((await google.refresh(refreshToken)).status).toBe(200);
  await act({ do: 'revoke-access' });
  expect((await google.refresh(refreshToken)).body.error).toBe('invalid_grant');
});

it('a removed scope is refused by the API and missing after the next refresh', async () => {
  await act({ do: 'remove-scopes', scopes: ['calendar.events', 'calendar.events.freebusy'] });
  expect(await list()).toBe(403);
  expect((await api('GET', '/users/me/calendarList')).status).toBe(200);
  expect((await google.refresh(refreshToken)).body.scope).not.toContain('calendar.events');
});

it('an expired channel receives no further notifications', async () => {
  await api('POST', `${EVENTS}/watch`, { id: 'a', type: 'web_hook', address: 'https://holdfast.example/p' });
  await act({ do: 'expire-channels' });
  await act({ do: 'delete', pick: 'Talk' });
  expect((await google.control.deliveries()).list).toHaveLength(1);
  expect((await google.control.snapshot()).channels).toMatchObject([{ id: 'a', live: false }]);
});

it('an event of another organizer can be moved only by that organizer', async () => {
  await act({
    do: 'create',
    event: { summary: 'Theirs', start: '2027-03-09T09:00', organizer: { email: 'boss@example.com' } },
  });
  await expect(act({ do: 'move', pick: 'Theirs', minutes: 30 })).rejects.toThrow('organizer');
  await act({ do: 'move', pick: 'Theirs', minutes: 30, by: 'organizer' });
  expect(await eventOf('Theirs')).toMatchObject({ start: { dateTime: '2027-03-09T09:30:00+01:00' } });
});

it('an unknown account or calendar is refused by its name', async () => {
  await expect(google.control.act({ account: 'nobody', do: 'revoke-access' })).rejects.toThrow('no account nobody');
  await expect(act({ do: 'unshare', calendar: 'nowhere' })).rejects.toThrow('no calendar nowhere');
});
