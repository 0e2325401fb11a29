import { isAboutBooking, type Trigger } from './definition.ts';

/** The variables that texts of steps may use. There is no evaluation, only this list. */

type About = 'booking' | 'form' | 'calendar';
/** `guest`: whoever booked, or filled a form in. */
type Told = About | 'any' | 'guest';

export const variables = [
  { name: 'guest_name', about: 'guest', sample: 'Gus Guest' },
  { name: 'guest_first_name', about: 'guest', sample: 'Gus' },
  { name: 'guest_email', about: 'guest', sample: 'gus@example.com' },
  { name: 'guest_phone', about: 'guest', sample: '+1 212 555 0123' },
  { name: 'host_name', about: 'any', sample: 'Anna Host' },
  { name: 'host_email', about: 'any', sample: 'anna@example.com' },
  { name: 'event_name', about: 'booking', sample: 'Intro' },
  { name: 'event_date', about: 'booking', sample: 'Monday, March 8, 2027' },
  { name: 'event_time', about: 'booking', sample: '9:00 AM EST' },
  { name: 'event_end_time', about: 'booking', sample: '9:30 AM EST' },
  { name: 'event_duration', about: 'booking', sample: '30' },
  { name: 'previous_time', about: 'booking', sample: 'Friday, March 5, 2027, 9:00 AM EST' },
  { name: 'location', about: 'booking', sample: 'https://meet.example.com/anna' },
  { name: 'answers', about: 'booking', sample: 'Company: Example' },
  { name: 'reason', about: 'booking', sample: 'Something came up.' },
  { name: 'booking_link', about: 'booking', sample: 'https://example.com/booked/…' },
  { name: 'book_again_link', about: 'booking', sample: 'https://example.com/anna/intro' },
  { name: 'form_name', about: 'form', sample: 'Contact us' },
  { name: 'form_answers', about: 'form', sample: 'Size: 10 to 50' },
  { name: 'calendar_account', about: 'calendar', sample: 'anna@example.com' },
  { name: 'problem', about: 'calendar', sample: 'Access was withdrawn' },
] as const satisfies readonly { name: string; about: Told; sample: string }[];
export type VariableName = (typeof variables)[number]['name'];
export type Values = Readonly<Partial<Record<VariableName, string>>>;

const aboutOf = (trigger: Trigger): About =>
  isAboutBooking(trigger) ? 'booking' : trigger === 'form-submitted' ? 'form' : 'calendar';

/** Variables that have a value for this trigger. */
export const variablesFor = (trigger: Trigger) =>
  variables.filter(
    ({ about }) =>
      about === 'any' || about === aboutOf(trigger) || (about === 'guest' && aboutOf(trigger) !== 'calendar'),
  );

// whatever stands in braces and looks like a name was meant as one
const pattern = /\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}/gu;

/** Names in a text that mean nothing here, each once. */
export function unknownVariables(text: string, trigger: Trigger): string[] {
  const names = new Set<string>(variablesFor(trigger).map(({ name }) => name));
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].filter((name) => !names.has(name));
}

/** The longest value, and the longest text with its values filled in, whatever a text repeats. */
export const filledLimits = {
  value: { chars: 10_000, bytes: 20_000 },
  text: { chars: 20_000, bytes: 40_000 },
} as const;

const cutSign = '…';
const cutSignBytes = 3;

/** A text within a limit of characters and of bytes in UTF-8. A text that was cut ends in an ellipsis, and in no half character. */
export function fitText(text: string, { chars, bytes }: { chars: number; bytes: number }): string {
  const start = text.slice(0, chars + 1);
  const { read } = new TextEncoder().encodeInto(start, new Uint8Array(bytes));
  if (read === text.length && read <= chars) return text;
  const room = new Uint8Array(bytes - cutSignBytes);
  const kept = Math.min(new TextEncoder().encodeInto(start, room).read, chars - 1);
  return `${text.slice(0, kept).replace(/[\ud800-\udbff]$/, '')}${cutSign}`;
}

/**
 * A text with its values, in one pass: what a value holds is text, whatever it looks like. Values and the whole are cut to
 * `filledLimits`; nothing is read or joined behind the cut.
 */
export function fillVariables(text: string, values: Values): string {
  const parts: string[] = [];
  let chars = 0;
  let at = 0;
  const add = (part: string) => {
    parts.push(part);
    chars += part.length;
  };
  for (const found of text.matchAll(pattern)) {
    if (chars > filledLimits.text.chars) break;
    const [whole, name = ''] = found;
    add(text.slice(at, found.index));
    const value = Object.hasOwn(values, name) ? values[name as VariableName] : undefined;
    add(fitText(value ?? '', filledLimits.value));
    at = found.index + whole.length;
  }
  add(text.slice(at));
  return fitText(parts.join(''), filledLimits.text);
}
