import { addressIn, fieldsOf, isTicked, readGuests } from './check-typed.ts';
import type { BookingData, Reading, SeriesDate, Typed } from './visit-data.ts';

export interface WrittenBooking {
  start: number;
  duration: number;
  zone: string;
  language: string;
  hold: string | null;
}

/**
 * The language of a booking, with the region of its guest: `en-GB` has other dates than `en-US`. A region that is a number
 * has no form in the call.
 */
export const languageOf = (language: string, { locale }: Pick<Reading, 'locale'>) =>
  /^[a-z]{2,3}-[A-Z]{2}$/.test(locale) && locale.startsWith(`${language}-`) ? locale : language;

/** Converts the form to the body of the booking call. */
export function writeBooking(
  type: Pick<BookingData['type'], 'questions' | 'recurring' | 'location' | 'guestsAllowed'>,
  typed: Typed,
  { start, duration, zone, language, hold }: WrittenBooking,
) {
  const asked = new Set(fieldsOf(type));
  const phone = asked.has('phone') ? (typed.phone ?? '').trim() : '';
  const guests = asked.has('guests') ? readGuests(typed.guests ?? '') : [];
  const answers = type.questions.flatMap(({ id, kind }): [string, string | boolean][] => {
    const value = typed[`q-${id}`] ?? '';
    if (kind === 'checkbox') return isTicked(value) ? [[id, true]] : [];
    return value === '' ? [] : [[id, value]];
  });
  return {
    start,
    duration,
    ...(hold === null ? {} : { hold_id: hold }),
    name: typed.name ?? '',
    email: addressIn(typed.email ?? ''),
    zone,
    language,
    ...(phone === '' ? {} : { phone }),
    ...(answers.length === 0 ? {} : { answers: Object.fromEntries(answers) }),
    ...(guests.length === 0 ? {} : { guests }),
    ...writeRepeated(type, typed),
  };
}

/** The field of a date of a series: another start, or that it is left out. */
export const dateField = (start: number) => `date-${start}`;
export const leftOut = 'out';

/** How often it is to be, and what becomes of single dates, as the calls that hold and book take it. */
export function writeRepeated(type: Pick<BookingData['type'], 'recurring'>, typed: Typed) {
  const times = Number(typed.times ?? 1);
  if (type.recurring === null) return {};
  if (times === 1) return { times };
  const changes = Object.entries(typed).flatMap(([name, value]) => {
    const start = /^date-(\d{1,9})$/.exec(name)?.[1];
    if (start === undefined || value === '') return [];
    return [{ start: Number(start), instead: value === leftOut ? null : Number(value) }];
  });
  return { times, ...(changes.length === 0 ? {} : { changes }) };
}

/** Returns the input with occupied dates of a series left out, unless another choice was made for them. */
export function withDates(typed: Typed, dates: readonly SeriesDate[] | null): Typed {
  const some = new Map((dates ?? []).map((date) => [dateField(date.start), date.state]));
  const chosen = Object.entries(typed).filter(
    ([name]) => dates === null || !name.startsWith('date-') || (some.has(name) && some.get(name) !== 'free'),
  );
  const out = [...some].filter(([, state]) => state !== 'free').map(([name]) => [name, leftOut]);
  return { ...Object.fromEntries(out), ...Object.fromEntries(chosen) };
}

/** Maps a call's field errors to the form's fields. */
export function nameFields(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => [
      path
        .replace(/^answers\./, 'q-')
        .replace(/^guests\..*/, 'guests')
        .replace(/^changes.*/, 'times'),
      message,
    ]),
  );
}

/** The start that was refused, where a refusal names it. */
export const readRefused = ({ start }: Readonly<Record<string, string>>): number | null =>
  start === undefined ? null : Number(start);

/**
 * Why a start cannot be had: another guest has it, or it is not offered. Null where the refusal is about something else: an
 * event type that takes no bookings names no start.
 */
export function readLoss({ code, fields = {} }: Refusal): 'taken' | 'not-offered' | null {
  if (code === 'SLOT_TAKEN') return 'taken';
  return code === 'NOT_BOOKABLE' && readRefused(fields) !== null ? 'not-offered' : null;
}

interface Refusal {
  code: string;
  fields?: Readonly<Record<string, string>> | undefined;
}

/** Starts that are named with a refusal. */
export const readNear = ({ nearest = '' }: Readonly<Record<string, string>>): number[] =>
  nearest
    .split(',')
    .filter((minute) => minute !== '')
    .map(Number);
