import type { SeedCommand, SeedEvent } from './seed.ts';

/** Weeks of somebody's plausible life around a day: what "Simulate Google" connects. The same day gives the same life. */
export function demoAccount(account: string, name: string, timeZone: string, today: string): SeedCommand {
  const monday = mondayOf(today);
  return {
    account,
    name,
    timeZone,
    calendars: [
      { timeZone, backgroundColor: '#1a73e8', events: workEvents(account, monday) },
      {
        id: `family.${account}`,
        summary: 'Family',
        timeZone,
        backgroundColor: '#e67c73',
        events: familyEvents(monday),
      },
      {
        id: `holidays.${account}`,
        summary: 'Holidays',
        timeZone,
        owner: 'holidays@calendars.example',
        role: 'reader',
        canPush: false,
        backgroundColor: '#0b8043',
        events: [
          { summary: 'Public holiday', start: at(monday, 3, 4), transparency: 'transparent' },
          { summary: 'Public holiday', start: at(monday, 7, 0), transparency: 'transparent' },
        ],
      },
    ],
  };
}

function workEvents(account: string, monday: Temporal.PlainDate): SeedEvent[] {
  const guests = (response: string, ...names: string[]) => [
    { email: account, responseStatus: response },
    ...names.map((who) => ({ email: `${who}@example.org`, responseStatus: 'accepted' })),
  ];
  const by = (who: string) => ({ organizer: { email: `${who}@example.org` } });
  return [
    {
      summary: 'Stand-up',
      start: at(monday, -3, 0, '09:15'),
      minutes: 15,
      recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
      attendees: guests('accepted', 'jonas', 'priya', 'marta'),
      instances: {
        [at(monday, 0, 2, '09:15')]: null,
        [at(monday, 1, 1, '09:15')]: { start: at(monday, 1, 1, '11:00'), minutes: 15 },
      },
    },
    {
      summary: 'One-to-one with Priya',
      start: at(monday, -3, 1, '14:00'),
      minutes: 45,
      recurrence: ['RRULE:FREQ=WEEKLY'],
      ...by('priya'),
      attendees: guests('accepted', 'priya'),
      instances: {
        [at(monday, 1, 1, '14:00')]: { attendees: guests('declined', 'priya') },
        [at(monday, 2, 1, '14:00')]: { start: at(monday, 2, 2, '15:30'), minutes: 45 },
      },
    },
    {
      summary: 'Planning',
      start: at(monday, -2, 2, '10:00'),
      minutes: 90,
      recurrence: ['RRULE:FREQ=WEEKLY;INTERVAL=2'],
      attendees: guests('tentative', 'jonas', 'marta', 'wei'),
      ...by('jonas'),
    },
    {
      summary: 'All hands',
      start: at(monday, -4, 3, '16:00'),
      minutes: 60,
      recurrence: ['RRULE:FREQ=MONTHLY;BYDAY=1TH'],
      attendees: guests('needsAction', 'office'),
      ...by('office'),
    },
    {
      summary: 'Focus',
      start: at(monday, -1, 4, '13:00'),
      minutes: 180,
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=10'],
      eventType: 'focusTime',
    },
    { summary: 'Design review', start: at(monday, 0, 0, '11:00'), minutes: 60, location: 'Room 4' },
    { summary: 'Interview: backend', start: at(monday, 0, 1, '10:30'), minutes: 60, visibility: 'private' },
    { summary: 'Lunch with Wei', start: at(monday, 0, 2, '12:30'), minutes: 60, status: 'tentative' },
    {
      summary: 'Vendor demo',
      start: at(monday, 0, 3, '15:00'),
      minutes: 60,
      ...by('sales'),
      attendees: guests('declined', 'sales'),
    },
    { summary: 'Release', start: at(monday, 0, 4, '10:00'), minutes: 90 },
    { summary: 'Quarter planning', start: at(monday, 1, 0, '13:00'), minutes: 120 },
    { summary: 'Dentist', start: at(monday, 1, 3, '08:30'), minutes: 60, visibility: 'private' },
    { summary: 'Offsite', start: at(monday, 2, 3), days: 2 },
    { summary: 'Train to Hamburg', start: at(monday, 2, 3, '07:40'), minutes: 150, eventType: 'fromGmail' },
    {
      summary: 'Out of office',
      start: at(monday, 4, 0, '00:00'),
      end: at(monday, 5, 0, '00:00'),
      eventType: 'outOfOffice',
    },
    { summary: 'At home', start: at(monday, 0, 4), transparency: 'transparent', eventType: 'workingLocation' },
    { summary: 'Car at the garage', start: at(monday, 1, 2), transparency: 'transparent' },
    {
      summary: 'Call with San Francisco',
      start: at(monday, 0, 3, '18:00'),
      minutes: 30,
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=6'],
    },
  ];
}

function familyEvents(monday: Temporal.PlainDate): SeedEvent[] {
  return [
    {
      summary: 'Swimming lesson',
      start: at(monday, -3, 2, '16:30'),
      minutes: 60,
      recurrence: ['RRULE:FREQ=WEEKLY'],
      instances: { [at(monday, 1, 2, '16:30')]: null },
    },
    { summary: 'Parents’ evening', start: at(monday, 0, 3, '19:00'), minutes: 90 },
    { summary: 'Grandma’s birthday', start: at(monday, 1, 5), transparency: 'transparent' },
    { summary: 'Weekend away', start: at(monday, 2, 5), days: 2 },
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
