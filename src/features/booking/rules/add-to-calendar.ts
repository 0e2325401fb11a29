import type { Booked } from './booking-endpoints.ts';

type Meeting = Pick<Booked, 'title' | 'host' | 'start' | 'duration' | 'location' | 'join_url'>;

/** What a mail, a browser and the two providers take as an address. */
const longest = 2_000;

/** Pages of two providers on which whoever is signed in there takes a booking into their calendar. */
export function addToCalendar({ title, start, duration, host, location, join_url: joinUrl }: Meeting): {
  google: string;
  outlook: string;
} {
  const place = joinUrl ?? placeOf(location);
  const linksOf = (text: string, where: string) => ({
    google: addressOf('https://calendar.google.com/calendar/render', {
      action: 'TEMPLATE',
      text,
      dates: `${basic(start)}/${basic(start + duration)}`,
      location: where,
      details: joinUrl === null ? '' : where,
    }),
    outlook: addressOf('https://outlook.office.com/calendar/deeplink/compose', {
      path: '/calendar/action/compose',
      rru: 'addevent',
      subject: text,
      startdt: iso(start),
      enddt: iso(start + duration),
      location: where,
      body: joinUrl === null ? '' : where,
    }),
  });
  const text = `${title} · ${host}`;
  const whole = linksOf(text, place);
  // a long place is left out rather than cut: half an address leads nowhere
  return Object.values(whole).every((link) => link.length <= longest) ? whole : linksOf(shorten(text), '');
}

function placeOf(location: Meeting['location']): string {
  if (location?.kind === 'in-person') return location.address;
  return location?.kind === 'phone' && location.who_calls === 'guest' ? location.number : '';
}

/** A letter takes up to twelve signs in an address. */
const shorten = (text: string) => (text.length > 140 ? `${text.slice(0, 139).toWellFormed()}…` : text);

function addressOf(page: string, values: Readonly<Record<string, string>>): string {
  const filled = Object.entries(values).filter(([, value]) => value !== '');
  return `${page}?${encode(new URLSearchParams(filled))}`;
}

/** With `%20` for a space: Outlook takes a `+` for itself, and writes it into the title. */
const encode = (query: URLSearchParams) => query.toString().replaceAll('+', '%20');

const iso = (minute: number) => Temporal.Instant.fromEpochMilliseconds(minute * 60_000).toString();

/** `20270308T090000Z` */
const basic = (minute: number) => iso(minute).replace(/[-:]/g, '');
