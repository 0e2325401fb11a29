import type { SeedCommand, SeedEvent } from './seed-command.ts';
import type { EventContent } from './world.ts';

/** Weeks of somebody's plausible life around a day: what "Simulate Microsoft" connects. The same day gives the same life. */
export function demoAccount(account: string, name: string, timeZone: string, today: string): SeedCommand {
  const monday = mondayOf(today);
  const inZone = (events: SeedEvent[]) => events.map((event) => ({ zone: timeZone, ...event }));
  return {
    account,
    name,
    timeZone,
    calendars: [
      {
        key: 'calendar',
        name: 'Calendar',
        isDefault: true,
        hexColor: '#0f6cbd',
        events: inZone(workEvents(account, name, monday)),
      },
      { key: 'project', name: 'Project Aurora', hexColor: '#e3008c', events: inZone(projectEvents(monday)) },
      {
        key: 'team',
        name: 'Team absences',
        hexColor: '#498205',
        canEdit: false,
        owner: { name: 'Facilities', address: `facilities@${account.split('@')[1]}` },
        events: inZone([
          { subject: 'Bogdan away', start: at(monday, 0, 1), end: at(monday, 0, 3), showAs: 'free' },
          { subject: 'Office closed', start: at(monday, 2, 4), end: at(monday, 2, 5), showAs: 'oof' },
        ]),
      },
    ],
  };
}

function workEvents(account: string, name: string, monday: Temporal.PlainDate): SeedEvent[] {
  const domain = account.split('@')[1];
  const person = (who: string) => ({ name: who, address: `${who.toLowerCase()}@${domain}` });
  const guest = (emailAddress: EventContent['organizer']): EventContent['attendees'][number] => ({
    type: 'required',
    status: { response: 'none', time: '0001-01-01T00:00:00Z' },
    emailAddress,
  });
  /** A meeting that somebody else called. */
  const by = (who: string, response: EventContent['response']): Partial<SeedEvent> => ({
    organizer: person(who),
    attendees: [guest({ name, address: account })],
    response,
    showAs: response === 'accepted' ? 'busy' : response === 'declined' ? 'free' : 'tentative',
  });
  const own = (...who: string[]) => ({ attendees: who.map((one) => guest(person(one))) });
  return [
    {
      key: 'sync',
      subject: 'Product sync',
      start: at(monday, -4, 0, '10:30'),
      minutes: 30,
      repeat: { type: 'weekly', daysOfWeek: ['monday', 'wednesday'], firstDayOfWeek: 'monday' },
      joinUrl: 'https://teams.microsoft.com/l/meetup-join/19%3ameeting_simulated',
      ...by('Noor', 'accepted'),
      exceptions: {
        [at(monday, 0, 2)]: { start: at(monday, 0, 2, '15:00'), minutes: 45, subject: 'Product sync, with sales' },
      },
      cancelled: [at(monday, 1, 0)],
    },
    {
      key: 'one-to-one',
      subject: 'One-to-one with Bogdan',
      start: at(monday, -3, 3, '11:00'),
      minutes: 30,
      repeat: { type: 'weekly', interval: 2, daysOfWeek: ['thursday'], firstDayOfWeek: 'monday' },
      ...own('Bogdan'),
    },
    {
      key: 'steering',
      subject: 'Steering committee',
      start: at(monday, -5, 1, '16:00'),
      minutes: 90,
      repeat: { type: 'relativeMonthly', daysOfWeek: ['tuesday'], index: 'second' },
      ...by('Ingrid', 'tentativelyAccepted'),
    },
    {
      key: 'report',
      subject: 'Write the weekly report',
      start: at(monday, -2, 4, '14:00'),
      minutes: 60,
      repeat: { type: 'weekly', daysOfWeek: ['friday'], count: 12 },
      sensitivity: 'private',
    },
    {
      key: 'kick-off',
      subject: 'Customer kick-off',
      start: at(monday, 0, 0, '13:30'),
      minutes: 90,
      location: 'Room Oslo',
      ...own('Noor', 'Ingrid'),
    },
    { key: 'physio', subject: 'Physiotherapy', start: at(monday, 0, 1, '08:00'), minutes: 45, sensitivity: 'private' },
    {
      key: 'budget',
      subject: 'Budget review',
      start: at(monday, 0, 1, '13:00'),
      minutes: 60,
      ...by('Ingrid', 'notResponded'),
    },
    {
      key: 'webinar',
      subject: 'Vendor webinar',
      start: at(monday, 0, 2, '17:00'),
      minutes: 60,
      ...by('Marketing', 'declined'),
    },
    { key: 'lunch', subject: 'Lunch with Noor', start: at(monday, 0, 3, '12:00'), minutes: 60, showAs: 'tentative' },
    {
      key: 'home',
      subject: 'Working from home',
      start: at(monday, 0, 4),
      end: at(monday, 0, 5),
      showAs: 'workingElsewhere',
    },
    { key: 'board', subject: 'Board preparation', start: at(monday, 1, 1, '09:00'), minutes: 180 },
    {
      key: 'panel',
      subject: 'Interview panel',
      start: at(monday, 1, 2, '10:00'),
      minutes: 60,
      ...own('Bogdan', 'Noor'),
    },
    { key: 'reminder', subject: 'Send the invoices', start: at(monday, 1, 3, '09:00'), minutes: 0, showAs: 'free' },
    {
      key: 'conference',
      subject: 'Conference in Lisbon',
      start: at(monday, 2, 1),
      end: at(monday, 2, 4),
      showAs: 'oof',
      location: 'Lisbon',
    },
    { key: 'flight', subject: 'Flight to Lisbon', start: at(monday, 2, 0, '18:20'), minutes: 190, showAs: 'oof' },
    { key: 'holiday', subject: 'Holiday', start: at(monday, 5, 0), end: at(monday, 5, 5), showAs: 'oof' },
  ];
}

function projectEvents(monday: Temporal.PlainDate): SeedEvent[] {
  return [
    {
      key: 'aurora-daily',
      subject: 'Aurora daily',
      start: at(monday, -1, 0, '09:00'),
      minutes: 15,
      repeat: {
        type: 'weekly',
        daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
        firstDayOfWeek: 'monday',
      },
      cancelled: [at(monday, 0, 4)],
    },
    { key: 'aurora-demo', subject: 'Aurora demo', start: at(monday, 0, 3, '16:00'), minutes: 60 },
    { key: 'aurora-freeze', subject: 'Code freeze', start: at(monday, 1, 3), end: at(monday, 1, 5), showAs: 'free' },
    { key: 'aurora-launch', subject: 'Launch window', start: at(monday, 1, 5, '22:00'), minutes: 240 },
  ];
}

function mondayOf(day: string): Temporal.PlainDate {
  const date = Temporal.PlainDate.from(day);
  return date.subtract({ days: date.dayOfWeek - 1 });
}

/** A day of a week counted from this one: as a date, or with a time. */
function at(monday: Temporal.PlainDate, weeks: number, days: number, time?: string): string {
  const day = monday.add({ days: 7 * weeks + days }).toString();
  return time === undefined ? day : `${day}T${time}:00`;
}
