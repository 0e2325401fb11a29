import { fieldsOf, isTicked, readGuests } from './check-typed.ts';
import type { BookingData, Typed } from './visit-data.ts';

export interface WrittenBooking {
  start: number;
  duration: number;
  zone: string;
  language: string;
  hold: string | null;
}

/** What was typed, as the call that books takes it. */
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
    email: typed.email ?? '',
    zone,
    language,
    ...(phone === '' ? {} : { phone }),
    ...(answers.length === 0 ? {} : { answers: Object.fromEntries(answers) }),
    ...(guests.length === 0 ? {} : { guests }),
    ...(type.recurring === null ? {} : { times: Number(typed.times ?? 1) }),
  };
}

/** What a call says of its parts, beside the fields of the form that they came from. */
export function nameFields(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => [
      path.replace(/^answers\./, 'q-').replace(/^guests\..*/, 'guests'),
      message,
    ]),
  );
}

/** Starts that are named with a refusal. */
export const readNear = ({ nearest = '' }: Readonly<Record<string, string>>): number[] =>
  nearest
    .split(',')
    .filter((minute) => minute !== '')
    .map(Number);
