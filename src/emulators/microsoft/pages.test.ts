import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '#emulators/kit/clock.ts';
import { connectGraph } from './graph-client.ts';
import { embedMicrosoft } from './launch.ts';

/** The pages on which a person edits "in Outlook", and the account that is shown to newcomers. */

const clock = createClock();
const microsoft = embedMicrosoft({ clock });
const { control, fetch, baseUrl } = microsoft;
const account = 'ada@contoso.example';
const people = `/people/${encodeURIComponent(account)}`;

const page = async (path: string) => await (await fetch(`${baseUrl}${path}`)).text();
const send = async (path: string, form: Record<string, string>) => {
  const { status } = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  return status;
};
const ben = {
  type: 'required' as const,
  status: { response: 'none' as const, time: '0001-01-01T00:00:00Z' },
  emailAddress: { name: 'Ben', address: 'ben@contoso.example' },
};
const events = async () => (await control.snapshot()).accounts[account]!.calendars.calendar!.events;
const eventOf = async (subject: string) => (await events()).find((one) => one.subject === subject)!;

/** Where the card with this title leads. */
async function open(title: string, monday = '2027-03-08'): Promise<string> {
  const cards = [
    ...(await page(`${people}?week=${monday}`)).matchAll(/<a class="event[^"]*"[^>]*href="([^"]+)".*?<\/a>/gs),
  ];
  const card = cards.find(([text]) => text.includes(`>${title}<`))!;
  return new URL(card[1]!.replaceAll('&amp;', '&'), `${baseUrl}${people}`).href.slice(baseUrl.length);
}

beforeEach(async () => {
  clock.freeze();
  clock.set(Temporal.Instant.from('2027-03-10T12:00:00Z').epochMilliseconds);
  await control.reset();
});

describe('the pages of an account', () => {
  beforeEach(async () => {
    const zone = 'W. Europe Standard Time';
    await control.seed({
      account,
      name: 'Ada <Lovelace>',
      timeZone: zone,
      calendars: [
        {
          key: 'calendar',
          events: [
            { subject: 'Talk & tea', start: '2027-03-09T09:00', minutes: 60, zone, attendees: [ben] },
            {
              subject: 'Weekly',
              start: '2027-03-03T14:00',
              minutes: 60,
              zone,
              repeat: { type: 'weekly', daysOfWeek: ['wednesday'] },
            },
            { subject: 'Away', start: '2027-03-11', end: '2027-03-13', zone, showAs: 'oof' },
          ],
        },
        { key: 'team', canEdit: false, events: [{ subject: 'Feast', start: '2027-03-12', zone }] },
      ],
    });
  });

  it('the pages list the accounts and the week of an account, with escaped text', async () => {
    expect(await page('/')).toContain('Ada &lt;Lovelace&gt;');
    const week = await page(`${people}?week=2027-03-08`);
    for (const text of ['Talk &amp; tea', '09:00–10:00', 'Weekly', 'Away', 'Out of office', 'Feast'])
      expect(week).toContain(text);
    expect(week.match(/>Away</g)).toHaveLength(2);
    expect(await page(`${people}?week=2027-03-15`)).not.toContain('Talk');
    expect(await control.ledger()).toEqual([]);
  });

  it('the create form makes single, all-day and repeating events', async () => {
    const create = (form: Record<string, string>) =>
      send(`${people}/create`, { calendar: 'calendar', day: '2027-03-10', ...form });
    expect(await create({ title: 'New', from: '15:00', to: '16:30' })).toBe(303);
    await create({ title: 'Whole day', allDay: 'yes' });
    await create({ title: 'Series', from: '23:00', to: '01:00', repeats: 'weekly' });
    expect(await eventOf('New')).toMatchObject({
      start: '2027-03-10T15:00:00',
      end: '2027-03-10T16:30:00',
      zone: 'W. Europe Standard Time',
    });
    expect(await eventOf('Whole day')).toMatchObject({ isAllDay: true, start: '2027-03-10', end: '2027-03-11' });
    expect(await eventOf('Series')).toMatchObject({
      end: '2027-03-11T01:00:00',
      recurrence: { pattern: { type: 'weekly', daysOfWeek: ['wednesday'] } },
    });
  });

  it('the event page moves, edits, answers and deletes events', async () => {
    await send(await open('Talk &amp; tea'), { do: 'move +60' });
    expect(await eventOf('Talk & tea')).toMatchObject({ start: '2027-03-09T10:00:00', end: '2027-03-09T11:00:00' });
    await send(await open('Talk &amp; tea'), {
      do: 'edit',
      title: 'Talk',
      day: '2027-03-10',
      from: '08:00',
      to: '08:30',
      free: 'yes',
    });
    expect(await eventOf('Talk')).toMatchObject({
      start: '2027-03-10T08:00:00',
      end: '2027-03-10T08:30:00',
      showAs: 'free',
    });
    await send(await open('Away'), {
      do: 'edit',
      title: 'Away',
      allDay: 'yes',
      day: '2027-03-11',
      lastDay: '2027-03-13',
    });
    expect(await eventOf('Away')).toMatchObject({ start: '2027-03-11', end: '2027-03-14', showAs: 'oof' });
    await send(await open('Away'), { do: 'declined' });
    expect(await eventOf('Away')).toMatchObject({ response: 'organizer' });
    await send(await open('Talk'), { do: 'declined' });
    expect(await eventOf('Talk')).toMatchObject({ response: 'declined' });
    await send(await open('Talk'), { do: 'delete' });
    expect(await eventOf('Talk')).toBeUndefined();
  });

  it('the event page changes one instance or the whole series', async () => {
    await send(await open('Weekly'), { do: 'move +60' });
    expect(Object.keys((await eventOf('Weekly')).exceptions)).toEqual(['2027-03-10']);
    await send(await open('Weekly', '2027-03-15'), { do: 'delete', scope: 'one' });
    expect((await eventOf('Weekly')).cancelled).toEqual(['2027-03-17']);
    await send(await open('Weekly', '2027-03-22'), {
      do: 'edit',
      scope: 'series',
      title: 'Weekly',
      day: '2027-03-25',
      from: '15:00',
      to: '16:00',
    });
    expect(await eventOf('Weekly')).toMatchObject({
      start: '2027-03-04T15:00:00',
      recurrence: { pattern: { daysOfWeek: ['thursday'] }, range: { startDate: '2027-03-04' } },
      exceptions: {},
      cancelled: [],
    });
    await send(await open('Weekly', '2027-03-22'), { do: 'delete', scope: 'series' });
    expect(await eventOf('Weekly')).toBeUndefined();
  });

  it('a form that cannot be applied is refused with a reason', async () => {
    expect(await page(await open('Feast'))).toContain('This calendar is read-only.');
    expect(await send(`${people}/create`, { calendar: 'team', title: 'No', day: '2027-03-10' })).toBe(400);
    expect(await send(await open('Weekly'), { do: 'move +20160' })).toBe(400);
  });
});

describe('the demo account', () => {
  beforeEach(() => control.seed({ account, demo: true }));

  it('the demo account has events of every kind around today, the same ones every time', async () => {
    const first = await control.snapshot();
    const list = Object.values(first.accounts[account]!.calendars).flatMap((calendar) => calendar.events);
    expect(list.length).toBeGreaterThan(20);
    expect(new Set(list.map(({ showAs }) => showAs))).toEqual(
      new Set(['busy', 'tentative', 'free', 'oof', 'workingElsewhere']),
    );
    expect(list.filter(({ recurrence }) => recurrence !== null).length).toBeGreaterThan(4);
    expect(list.some(({ exceptions }) => Object.keys(exceptions).length > 0)).toBe(true);
    expect(list.some(({ cancelled }) => cancelled.length > 0)).toBe(true);
    expect(list.some(({ sensitivity }) => sensitivity === 'private')).toBe(true);
    expect(list.some(({ isAllDay, showAs }) => isAllDay && showAs === 'oof')).toBe(true);
    await control.reset();
    await control.seed({ account, demo: true });
    expect(await control.snapshot()).toEqual(first);
  });

  it('the demo account has a full week on its page and in Graph', async () => {
    const week = await page(people);
    for (const title of [
      'Product sync, with sales',
      'Customer kick-off',
      'Aurora daily',
      'Bogdan away',
      'Not answered',
    ]) {
      expect(week).toContain(title);
    }
    const graph = await connectGraph(microsoft, account);
    const { body } = await graph.get(
      '/me/calendarView?startDateTime=2027-03-08T00:00:00Z&endDateTime=2027-03-15T00:00:00Z&$top=100',
    );
    expect(body.value.length).toBeGreaterThan(8);
  });
});
