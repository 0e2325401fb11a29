import { beforeEach, describe, expect, it } from 'vitest';
import { emulateGoogle } from '../../../test/harness/emulated-google.ts';

/** The pages on which a person edits "in Google". */

let google: ReturnType<typeof emulateGoogle>;
const ADA = 'ada@example.com';
const PEOPLE = `/people/${encodeURIComponent(ADA)}`;

beforeEach(async () => {
  google = emulateGoogle('2027-03-10T12:00:00Z');
  await google.control.seed({
    account: ADA,
    name: 'Ada <Lovelace>',
    timeZone: 'Europe/Berlin',
    calendars: [
      {
        events: [
          { summary: 'Talk & tea', start: '2027-03-09T09:00', attendees: [{ email: ADA }] },
          { summary: 'Weekly', start: '2027-03-03T14:00', recurrence: ['RRULE:FREQ=WEEKLY'] },
          { summary: 'Away', start: '2027-03-11', days: 2 },
        ],
      },
      {
        id: 'holidays',
        summary: 'Holidays',
        owner: 'boss@example.com',
        role: 'reader',
        events: [{ summary: 'Feast', start: '2027-03-12' }],
      },
    ],
  });
});

const page = async (path: string) => (await google.ask<string>('GET', path)).body;
const send = (path: string, form: Record<string, string>) =>
  google.ask<string>('POST', path, { body: new URLSearchParams(form) });
const week = (monday = '2027-03-08') => page(`${PEOPLE}?week=${monday}`);
const titles = async () =>
  (await google.control.snapshot()).accounts[ADA]!.calendars[ADA]!.events.map(({ summary }) => summary);
const eventOf = async (title: string) =>
  (await google.control.snapshot()).accounts[ADA]!.calendars[ADA]!.events.find(({ summary }) => summary === title)!;

/** Where the card with this title leads. */
async function open(title: string, monday?: string): Promise<string> {
  const cards = [...(await week(monday)).matchAll(/<a class="event[^"]*"[^>]*href="([^"]+)".*?<\/a>/gs)];
  const card = cards.find(([text]) => text.includes(`>${title}<`))!;
  return new URL(card[1]!.replaceAll('&amp;', '&'), `http://google.test${PEOPLE}`).href.slice(
    'http://google.test'.length,
  );
}

it('the pages list the accounts and the week of an account, with escaped text', async () => {
  expect(await page('/')).toContain('Ada &lt;Lovelace&gt;');
  const text = await week();
  for (const title of ['Talk &amp; tea', 'Weekly', 'Away', 'Feast']) expect(text).toContain(title);
  expect(text).toContain('09:00–10:00');
  expect((await google.ask('GET', `/?account=${ADA}`)).headers.get('location')).toBe(PEOPLE.slice(1));
  expect(await week('2027-03-17')).not.toContain('Talk');
  expect((await google.ask('GET', '/people/nobody@example.com')).status).toBe(404);
});

it('a page for people is neither recorded in the request log nor hit by faults', async () => {
  await google.control.addFaults({ times: 0, effect: { kind: 'reset' } });
  await week();
  expect(await google.control.ledger()).toEqual([]);
});

describe('the pages of an account', () => {
  it('the create form makes single, all-day and repeating events', async () => {
    const create = (form: Record<string, string>) =>
      send(`${PEOPLE}/create`, { calendar: ADA, day: '2027-03-10', ...form });
    const { status, headers } = await create({ title: 'New', from: '15:00', to: '16:30' });
    expect([status, headers.get('location')]).toEqual([303, `../${encodeURIComponent(ADA)}?week=2027-03-10`]);
    await create({ title: 'Whole day', allDay: 'yes' });
    await create({ title: 'Series', from: '23:00', to: '01:00', repeats: 'daily' });
    expect(await eventOf('New')).toMatchObject({ start: { dateTime: '2027-03-10T15:00:00+01:00' } });
    expect(await eventOf('Whole day')).toMatchObject({ end: { date: '2027-03-11' } });
    expect(await eventOf('Series')).toMatchObject({
      end: { dateTime: '2027-03-11T01:00:00+01:00' },
      recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
    });
  });

  it('only an event with guests can be accepted or declined', async () => {
    expect(await page(await open('Talk &amp; tea'))).toContain('value="declined"');
    const own = await open('Weekly');
    expect(await page(own)).not.toContain('value="declined"');
    expect((await send(own, { do: 'declined', scope: 'one' })).body).toContain('Only invitations can be answered.');
    expect(await eventOf('Weekly')).not.toHaveProperty('attendees');
  });

  it('the edit form changes and moves an event', async () => {
    const path = await open('Talk &amp; tea');
    expect(await page(path)).toContain('Tuesday 9 March, 09:00–10:00');
    await send(path, { do: 'edit', title: 'Tea', day: '2027-03-10', from: '11:00', to: '11:30', free: 'yes' });
    expect(await eventOf('Tea')).toMatchObject({
      start: { dateTime: '2027-03-10T11:00:00+01:00' },
      end: { dateTime: '2027-03-10T11:30:00+01:00' },
      transparency: 'transparent',
    });
    await send(await open('Tea'), { do: 'move +60' });
    expect(await eventOf('Tea')).toMatchObject({ start: { dateTime: '2027-03-10T12:00:00+01:00' } });
    await send(await open('Away'), {
      do: 'edit',
      title: 'Away',
      allDay: 'yes',
      day: '2027-03-10',
      lastDay: '2027-03-12',
    });
    expect(await eventOf('Away')).toMatchObject({ start: { date: '2027-03-10' }, end: { date: '2027-03-13' } });
  });

  it('the edit form changes one instance or the whole series', async () => {
    await send(await open('Weekly'), {
      do: 'edit',
      scope: 'one',
      title: 'Once',
      day: '2027-03-10',
      from: '16:00',
      to: '17:00',
    });
    expect(await eventOf('Once')).toMatchObject({ recurringEventId: expect.any(String) });
    const path = await open('Weekly', '2027-03-17');
    await send(path, {
      do: 'edit',
      scope: 'series',
      title: 'Every week',
      day: '2027-03-18',
      from: '15:00',
      to: '15:30',
    });
    expect(await eventOf('Every week')).toMatchObject({
      start: { dateTime: '2027-03-04T15:00:00+01:00' },
      end: { dateTime: '2027-03-04T15:30:00+01:00' },
    });
  });

  it('the event page declines and deletes events', async () => {
    const path = await open('Talk &amp; tea');
    await send(path, { do: 'declined' });
    expect(await week()).toContain('event declined');
    expect(await eventOf('Talk & tea')).toMatchObject({ attendees: [{ self: true, responseStatus: 'declined' }] });
    await send(path, { do: 'delete' });
    await send(await open('Weekly'), { do: 'delete', scope: 'series' });
    expect(await titles()).toEqual(['Away']);
  });

  it('an invited user can answer an event and cannot change it', async () => {
    const organizer = { email: 'boss@example.com' };
    const event = { summary: 'Theirs', start: '2027-03-10T10:00', organizer, attendees: [{ email: ADA }] };
    await google.control.act({ account: ADA, do: 'create', event });
    const path = await open('Theirs');
    expect(await page(path)).toContain('Only its organizer can change this event.');
    await send(path, { do: 'accepted' });
    expect(await eventOf('Theirs')).toMatchObject({ attendees: [{ email: ADA, responseStatus: 'accepted' }] });
  });

  it('an event in a read-only calendar offers no changes', async () => {
    expect(await page(await open('Feast'))).toContain('This calendar is read-only');
  });

  it('a form with an invalid day is refused with a reason', async () => {
    const { status, body } = await send(`${PEOPLE}/create`, { calendar: ADA, title: 'New', day: 'tomorrow' });
    expect([status, body]).toEqual([400, expect.stringContaining('Choose a day.')]);
  });

  it('a change made on a page notifies the open channels', async () => {
    const { api } = await google.signIn(ADA);
    const hook = { id: 'a', type: 'web_hook', address: 'https://holdfast.example/p' };
    await api('POST', '/calendars/primary/events/watch', hook);
    await send(await open('Weekly'), { do: 'delete' });
    expect((await google.control.deliveries()).list).toHaveLength(2);
  });
});

describe('the demo account', () => {
  it('the demo account has weeks of events around today, the same ones for the same day', async () => {
    const demo = { account: 'sam@example.com', name: 'Sam', demo: true };
    await google.control.seed(demo);
    const lives = async () => {
      const { calendars } = (await google.control.snapshot()).accounts['sam@example.com']!;
      return Object.values(calendars).map(({ events, cancelled }) => [
        events.map(({ summary, start }) => [summary, start]),
        cancelled.length,
      ]);
    };
    const first = await lives();
    expect(first).toHaveLength(3);
    expect(first.flatMap(([events]) => events as unknown[]).length).toBeGreaterThan(25);
    await google.control.seed(demo);
    expect(await lives()).toEqual(first);
    expect(await page(`/people/${encodeURIComponent('sam@example.com')}`)).toContain('Run with Sam');
  });
});
