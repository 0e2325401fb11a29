import type { SeedCommand, SeedEvent } from './seed.ts';

/** Weeks of somebody's plausible life around a day: what "Simulate Google" connects. The same day gives the same life. */
export function demoAccount(account: string, name: string, timeZone: string, today: string): SeedCommand {
  const monday = mondayOf(today);
  return {
    account,
    name,
    timeZone,
    calendars: [
      { timeZone, backgroundColor: '#4285f4', events: ownEvents(account, monday) },
      {
        id: `family.${account}`,
        summary: 'Family',
        timeZone,
        backgroundColor: '#0b8043',
        events: familyEvents(monday),
      },
      {
        id: `holidays.${account}`,
        summary: 'Holidays',
        timeZone,
        owner: 'holidays@calendars.example',
        role: 'reader',
        canPush: false,
        backgroundColor: '#8e24aa',
        events: [
          { summary: 'Public holiday', start: at(monday, 3, 4), transparency: 'transparent' },
          { summary: 'Public holiday', start: at(monday, 7, 0), transparency: 'transparent' },
        ],
      },
    ],
  };
}

function ownEvents(account: string, monday: Temporal.PlainDate): SeedEvent[] {
  /** An invitation by the first of them. */
  const invitation = (response: string, ...names: [string, ...string[]]) => ({
    organizer: { email: `${names[0]}@example.org` },
    attendees: [
      { email: account, responseStatus: response },
      ...names.map((name) => ({ email: `${name}@example.org`, responseStatus: 'accepted' })),
    ],
  });
  const declined = { attendees: invitation('declined', 'choir').attendees };
  return [
    {
      summary: 'Run with Sam',
      start: at(monday, -3, 2, '07:30'),
      minutes: 45,
      recurrence: ['RRULE:FREQ=WEEKLY'],
      instances: {
        [at(monday, 1, 2, '07:30')]: null,
        [at(monday, 2, 2, '07:30')]: { start: at(monday, 2, 3, '18:00'), minutes: 45 },
      },
    },
    {
      summary: 'Choir',
      start: at(monday, -3, 0, '19:30'),
      minutes: 120,
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=20'],
      ...invitation('accepted', 'choir', 'ana'),
      instances: { [at(monday, 0, 0, '19:30')]: declined },
    },
    {
      summary: 'Call with Ana',
      start: at(monday, -2, 6, '18:00'),
      minutes: 60,
      recurrence: ['RRULE:FREQ=WEEKLY;INTERVAL=2'],
    },
    {
      summary: 'Studying',
      start: at(monday, -1, 5, '10:00'),
      minutes: 150,
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=10'],
      eventType: 'focusTime',
    },
    {
      summary: 'Rent is due',
      start: monday.with({ day: 1 }).toString(),
      recurrence: ['RRULE:FREQ=MONTHLY;COUNT=12'],
      transparency: 'transparent',
    },
    {
      summary: 'Sam’s birthday',
      start: at(monday, 1, 3),
      recurrence: ['RRULE:FREQ=YEARLY'],
      transparency: 'transparent',
      eventType: 'birthday',
    },
    {
      summary: 'Dentist',
      start: at(monday, 0, 1, '14:00'),
      minutes: 60,
      location: 'Dr. Novak, Mill Lane 4',
      visibility: 'private',
    },
    {
      summary: 'Lunch with Priya',
      start: at(monday, 0, 4, '12:30'),
      minutes: 60,
      location: 'Green Table',
      ...invitation('tentative', 'priya'),
    },
    {
      summary: 'Neighbours’ meeting',
      start: at(monday, 0, 2, '18:00'),
      minutes: 90,
      ...invitation('declined', 'house'),
    },
    {
      summary: 'Moving help for Jonas',
      start: at(monday, 1, 5, '09:00'),
      minutes: 240,
      ...invitation('needsAction', 'jonas', 'wei'),
    },
    { summary: 'Electrician', start: at(monday, 0, 3, '08:00'), minutes: 120 },
    { summary: 'Passport office', start: at(monday, 1, 0, '11:15'), minutes: 30, status: 'tentative' },
    { summary: 'Car at the garage', start: at(monday, 1, 2), transparency: 'transparent' },
    { summary: 'At home', start: at(monday, 0, 4), transparency: 'transparent', eventType: 'workingLocation' },
    { summary: 'Train to Vienna', start: at(monday, 2, 4, '16:10'), minutes: 150, eventType: 'fromGmail' },
    { summary: 'Weekend in Vienna', start: at(monday, 2, 5), days: 2 },
    {
      summary: 'Out of office',
      start: at(monday, 4, 0, '00:00'),
      end: at(monday, 5, 0, '00:00'),
      eventType: 'outOfOffice',
    },
  ];
}

function familyEvents(monday: Temporal.PlainDate): SeedEvent[] {
  return [
    {
      summary: 'Swimming lesson',
      start: at(monday, -3, 1, '17:00'),
      minutes: 60,
      recurrence: ['RRULE:FREQ=WEEKLY'],
      instances: { [at(monday, 1, 1, '17:00')]: null },
    },
    { summary: 'Parents’ evening', start: at(monday, 0, 3, '18:30'), minutes: 90 },
    { summary: 'Plumber', start: at(monday, 1, 0, '09:00'), minutes: 120 },
    { summary: 'Grandma’s birthday', start: at(monday, 0, 6), transparency: 'transparent' },
    { summary: 'School holidays', start: at(monday, 3, 0), days: 5, transparency: 'transparent' },
  ];
}

function mondayOf(day: string): Temporal.PlainDate {
  const date = Temporal.PlainDate.from(day);
  return date.subtract({ days: date.dayOfWeek - 1 });
}

/** A day of a week counted from this one: as a date, or with a time. */
function at(monday: Temporal.PlainDate, weeks: number, days: number, time?: string): string {
  const day = monday.add({ days: 7 * weeks + days }).toString();
  return time === undefined ? day : `${day}T${time}`;
}
