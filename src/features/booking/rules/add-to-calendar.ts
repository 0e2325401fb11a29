import type { Booked } from './booking-endpoints.ts';

/** Pages of two providers on which whoever is signed in there takes a booking into their calendar. */
export function addToCalendar({ title, start, duration, host, location, join_url: joinUrl }: Booked): {
  google: string;
  outlook: string;
} {
  const place = joinUrl ?? (location?.kind === 'in-person' ? location.address : '');
  const text = `${title} · ${host}`;
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text,
    dates: `${basic(start)}/${basic(start + duration)}`,
    ...(place === '' ? {} : { location: place }),
  });
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: text,
    startdt: iso(start),
    enddt: iso(start + duration),
    ...(place === '' ? {} : { location: place }),
  });
  return {
    google: `https://calendar.google.com/calendar/render?${encode(google)}`,
    outlook: `https://outlook.office.com/calendar/deeplink/compose?${encode(outlook)}`,
  };
}

/** With `%20` for a space: Outlook takes a `+` for itself, and writes it into the title. */
const encode = (query: URLSearchParams) => query.toString().replaceAll('+', '%20');

const iso = (minute: number) => Temporal.Instant.fromEpochMilliseconds(minute * 60_000).toString();

/** `20270308T090000Z` */
const basic = (minute: number) => iso(minute).replace(/[-:]/g, '');
