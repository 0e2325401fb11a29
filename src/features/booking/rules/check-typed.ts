import type { ShownType, Typed } from './visit-data.ts';

/** Why a field cannot stay as it is: a sentence's key in the words of the page, and what it names. */
export interface Complaint {
  key: string;
  values?: Readonly<Record<string, string | number>>;
}

type Asked = Pick<ShownType, 'location' | 'questions' | 'guestsAllowed'>;

/** The text that a tick box stands for in a form. */
export const tick = 'yes';

/** The one place that decides whether a text is a tick: what a page shows as empty is never recorded as consent. */
export const isTicked = (text: string | undefined): boolean => text === tick;

const longestLine = 500;
export const longestName = 120;
const longestText = 5_000;

/** Good enough to tell a slip of the finger; whether it exists is found out by writing to it. */
const email = /^[^\s@<>,;:"]+@[^\s@<>,;:"]+\.[^\s@<>,;:".]{2,}$/;

/** Three digits of any keyboard. The server reads the rest of a number. */
const someDigits = /\p{Nd}.*\p{Nd}.*\p{Nd}/u;

/** The names of the fields that are asked for, in their order on the page. */
export function fieldsOf({ location, questions, guestsAllowed }: Asked): string[] {
  return [
    'name',
    'email',
    ...(location.kind === 'phone' && location.who_calls === 'host' ? ['phone'] : []),
    ...questions.map(({ id }) => `q-${id}`),
    ...(guestsAllowed > 0 ? ['guests'] : []),
  ];
}

/** Returns the fault of a field's current value; null without one. */
export function checkField(asked: Asked, name: string, typed: Typed): Complaint | null {
  const value = (typed[name] ?? '').trim();
  const question = asked.questions.find(({ id }) => `q-${id}` === name);
  const isNeeded = question === undefined ? name !== 'guests' : question.required;
  if (question?.kind === 'checkbox') return isNeeded && !isTicked(value) ? { key: 'wrong.required' } : null;
  if (value === '') return isNeeded ? { key: 'wrong.required' } : null;
  if (name === 'guests') return checkGuests(typed, asked.guestsAllowed);
  const longest = name === 'name' ? longestName : question?.kind === 'long' ? longestText : longestLine;
  if (value.length > longest) return { key: 'wrong.long', values: { n: longest } };
  if (name === 'email' && !email.test(addressIn(value.normalize('NFKC')))) return { key: 'wrong.email' };
  if ((name === 'phone' || question?.kind === 'phone') && !someDigits.test(value)) return { key: 'wrong.phone' };
  // the host may be in another country
  if (name === 'phone' && !/^(?:[+＋]|[0０٠۰]{2})/.test(value)) return { key: 'wrong.phone-country' };
  return null;
}

/** Everything that is wrong, by field. */
export function checkTyped(asked: Asked, typed: Typed): Record<string, Complaint> {
  const wrong: Record<string, Complaint> = {};
  for (const name of fieldsOf(asked)) {
    const complaint = checkField(asked, name, typed);
    if (complaint !== null) wrong[name] = complaint;
  }
  return wrong;
}

/**
 * The fields that an address fills in, as the form can show them. Consent is the guest's own act, so no tick is filled in.
 * Fields that the page does not ask for stay out: nothing is sent that its sender has not seen.
 */
export function keepPrefilled(asked: Asked & Pick<ShownType, 'recurring'>, given: Typed): Record<string, string> {
  const fields = new Set(fieldsOf(asked));
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => {
      if (name === 'times') return /^[1-9]\d?$/.test(value) && Number(value) <= (asked.recurring?.max ?? 0);
      const question = asked.questions.find(({ id }) => `q-${id}` === name);
      if (question?.kind === 'checkbox') return false;
      if (question?.kind === 'choice') return question.options?.includes(value) === true;
      return fields.has(name);
    }),
  );
}

/** The address in what was typed, which may be pasted from a mail with its name: `"Anna Lee" <anna@example.org>`. */
export const addressIn = (typed: string): string => /<([^<>]*)>\s*$/.exec(typed)?.[1]?.trim() ?? typed.trim();

/** The addresses in what was typed, one on each line or with commas between, with or without names before them. */
export function readGuests(typed: string): string[] {
  // a quoted name may have a comma in it
  const parts = typed.replace(/"[^"\n]*"/g, ' ').split(/[\n,;]+/);
  const found = parts.flatMap((part) =>
    part.includes('<') ? [addressIn(part)] : part.includes('@') ? part.split(/\s+/) : [part.trim()],
  );
  return [...new Map(found.filter((part) => part !== '').map((part) => [part.toLowerCase(), part])).values()];
}

/** The additional guests: people beside the one who books. */
export function listBrought({ guests = '', email: own = '' }: Typed): string[] {
  return readGuests(guests).filter((guest) => guest.toLowerCase() !== addressIn(own).toLowerCase());
}

function checkGuests(typed: Typed, most: number): Complaint | null {
  const guests = listBrought(typed);
  const wrong = guests.filter((guest) => !email.test(guest)).join(', ');
  if (wrong !== '') return { key: 'wrong.guests', values: { one: wrong.slice(0, 400) } };
  return guests.length > most ? { key: 'wrong.too-many-guests', values: { n: most } } : null;
}
