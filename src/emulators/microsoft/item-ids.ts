import { dayOf, printDay } from './recurrence-pattern.ts';
import type { Calendar, CalendarEvent, Mailbox } from './world.ts';

/**
 * Ids as Outlook gives them: long, case-sensitive, base64 with `-` and `_`. A regular id tells where the item lies, so it
 * changes when the item is moved; an immutable one does not. Calendars have only the regular form.
 * Source: outlook-immutable-id.
 */

const regularPrefix = 'AAMkAG';
const immutablePrefix = 'AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0A';

export interface ItemRef {
  key: string;
  /** Day number of the original start, of one instance of a series. */
  day: number | null;
  /** Null in an immutable id. */
  place: number | null;
}

export function eventId(mailbox: Mailbox, event: CalendarEvent, day: number | null, immutable: boolean): string {
  return refId(mailbox, { key: event.key, day, place: immutable ? null : event.place });
}

export function refId(mailbox: Mailbox, { key, day, place }: ItemRef): string {
  const instance = day === null ? '' : printDay(day);
  return place === null
    ? `${immutablePrefix}${encode(`${mailbox.userId}|${key}|${instance}`)}`
    : `${regularPrefix}${encode(`${mailbox.userId}|${key}|${instance}|${place}`)}AAA=`;
}

/** Parses an id; null for one that no mailbox issued. */
export function readEventId(mailbox: Mailbox, id: string): ItemRef | null {
  const immutable = id.startsWith(immutablePrefix);
  if (!immutable && !(id.startsWith(regularPrefix) && id.endsWith('AAA='))) return null;
  const text = immutable ? decode(id.slice(immutablePrefix.length)) : decode(id.slice(regularPrefix.length, -4));
  const [userId, key, instance, place] = text.split('|');
  if (userId !== mailbox.userId || !key || instance === undefined) return null;
  const ref = { key, day: instance === '' ? null : dayOf(instance), place: immutable ? null : Number(place) };
  // Ids are compared letter by letter: base64 would forgive trailing bits.
  return refId(mailbox, ref) === id ? ref : null;
}

export function calendarId(mailbox: Mailbox, calendar: Calendar): string {
  return `${regularPrefix}${encode(`${mailbox.userId}|calendar|${calendar.key}`)}BBAAA=`;
}

export function groupId(mailbox: Mailbox, key: string): string {
  return `${regularPrefix}${encode(`${mailbox.userId}|group|${key}`)}AAA=`;
}

/** `OID.<id of the master>.<date>`, as cancelledOccurrences and occurrenceId are. */
export function occurrenceId(mailbox: Mailbox, event: CalendarEvent, day: number, immutable: boolean): string {
  return `OID.${eventId(mailbox, event, null, immutable)}.${printDay(day)}`;
}

/** A UID differs per occurrence: the date of the instance is inside. Source: MS-OXOCAL 2.2.1.27. */
export function iCalUid(event: CalendarEvent, day: number | null): string {
  const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0');
  const [year, month, date] = day === null ? [0, 0, 0] : printDay(day).split('-').map(Number);
  const own = Buffer.from(event.key.padStart(16, '0')).toString('hex').toUpperCase();
  return `040000008200E00074C5B7101A82E008${hex(year!, 4)}${hex(month!, 2)}${hex(date!, 2)}${own}10000000`;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decode(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}
