import type { InvitedEvent } from './invitation.ts';

/** The same texts as in the calendar file. */
type Meeting = Pick<InvitedEvent, 'title' | 'notes' | 'place' | 'startMs' | 'endMs'>;

/** Length of an address that mails, browsers and the two providers accept. */
const longest = 2_000;

/** Returns addresses at two providers, on which the signed-in person adds a booking to the calendar. */
export function addToCalendar(meeting: Meeting): { google: string; outlook: string } {
  const title = shorten(meeting.title);
  // a long text is left out rather than cut: half an address leads nowhere
  const tries = [meeting, { ...meeting, title, place: '' }, { ...meeting, title, notes: '' }].map(linksOf);
  const fitting = tries.find((links) => Object.values(links).every((link) => link.length <= longest));
  return fitting ?? linksOf({ ...meeting, title, place: '', notes: '' });
}

const linksOf = ({ title, notes, place, startMs, endMs }: Meeting) => ({
  google: addressOf('https://calendar.google.com/calendar/render', {
    action: 'TEMPLATE',
    text: title,
    dates: `${basic(startMs)}/${basic(endMs)}`,
    location: place,
    details: notes,
  }),
  outlook: addressOf('https://outlook.office.com/calendar/deeplink/compose', {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: iso(startMs),
    enddt: iso(endMs),
    location: place,
    body: notes,
  }),
});

/** A letter takes up to twelve signs in an address. */
const shorten = (text: string) => (text.length > 140 ? `${text.slice(0, 139).toWellFormed()}…` : text);

function addressOf(page: string, values: Readonly<Record<string, string>>): string {
  const filled = Object.entries(values).filter(([, value]) => value !== '');
  return `${page}?${encode(new URLSearchParams(filled))}`;
}

/** With `%20` for a space: Outlook takes a `+` for itself, and writes it into the title. */
const encode = (query: URLSearchParams) => query.toString().replaceAll('+', '%20');

const iso = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();

/** `20270308T090000Z` */
const basic = (ms: number) => iso(ms).replace(/[-:]/g, '');
