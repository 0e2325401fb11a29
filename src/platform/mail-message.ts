import * as z from 'zod/mini';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import { unseenSigns } from '#kernel/text/unseen-signs.ts';
import type { MailSource } from './recipients.ts';

/**
 * A mail as a feature describes it: what it says, not how it looks. `mail-layout.ts` makes text and HTML of it.
 *
 * Everything is plain text in the reader's language: markup in it is shown, not obeyed. A name that somebody else chose
 * goes through `quoteName` first.
 */
export interface MailMessage {
  /**
   * Subject of the mail, e.g. `access.reset:<id of the code>`. A repeated key is the same mail. The key is stored in
   * plain text, so it must not contain secrets.
   */
  key: string;
  /** Kind of the form `feature.noun`. */
  kind: string;
  /** One address, without a name. */
  to: string;
  /** The person it comes from, as they call themselves. Absent: the install alone. */
  fromName?: string;
  /** The person who reads an answer; absent where nobody does. */
  replyTo?: Mailbox;
  /** Account that the mail is about; null for people without one, and for a mail that outlives its account. */
  userId: UserId | null;
  /** BCP 47; the language of `content`. */
  locale: string;
  content: MailContent;
  /** `#rrggbb`, of its buttons; absent: that of the install. */
  color?: string;
  /** In place of the logo of the install. */
  logo?: MailLogo;
  /** An invitation that mail programs understand (RFC 6047). */
  calendar?: MailCalendar;
  /** Nothing of it stays in the outbox once it needs no further attempt, not even to whom it went. */
  forget?: boolean;
  /** Where its reader stops mails of its kind, also by one click of their mail program (RFC 8058). */
  stopUrl?: string;
  /**
   * Set for an address that is unverified, or has not agreed to mails. Few such mails are sent per day, and each has a
   * link that stops them (`recipients.ts`). `counted`: the caller has counted this one. `owed`: it ends an invitation
   * that went to this address, and is sent whatever the count.
   */
  unproved?: MailSource & { as?: 'counted' | 'owed' };
  /**
   * Ids of the things that it tells of, e.g. bookings. A reader gets mails about the same thing in the order in which they
   * were written.
   */
  about?: readonly string[];
  /** After this there is no use in it, e.g. when its code ends. At most, and by default, three days ahead. */
  expiresAtMs?: number;
}

/** A square PNG that a mail brings along, so that nothing is loaded when it is opened. */
export interface MailLogo {
  /** The team or person that it stands for. */
  name: string;
  /** Base64. */
  png: string;
}

/** A name and address in a mail header. */
export interface Mailbox {
  /** Empty: the address alone. */
  name: string;
  address: string;
}

export interface MailContent {
  subject: string;
  heading: string;
  /** In the order of reading. */
  blocks: readonly MailBlock[];
}

/** Stands in the words of mails for the name of the install, which is put in when a mail is handed over. */
export const nameSign = '\u{f8ff}';

export type MailBlock =
  /** A paragraph; its line breaks stay. */
  | { text: string }
  /** Something to do. A mail has one main button; a `quiet` one beside it is an alternative. */
  | { button: { label: string; url: string; quiet?: true } }
  /** Links of one kind on one line, after their label. */
  | { links: { label: string; to: readonly { label: string; url: string }[] } }
  /** Something to type or copy. */
  | { code: string }
  /** Label and value, e.g. of a booking or of the device that signed in; with an address, the value is a link. */
  | { facts: readonly MailFact[] }
  /** Why this came, what to do if it was not you, and where. */
  | { small: string; link?: { label: string; url: string } };

export type MailFact = readonly [label: string, value: string, url?: string];

export interface MailCalendar {
  method: 'REQUEST' | 'CANCEL' | 'REPLY' | 'COUNTER' | 'PUBLISH';
  /** The iCalendar object; its METHOD says the same. */
  ics: string;
}

/** UTF-16 units of what is made of names and of what others typed. */
const longest = {
  title: 200,
  label: 100,
  action: 80,
  link: 120,
  fact: 4_000,
  text: 4_000,
  small: 2_000,
  name: 2_000,
} as const;

/** Characters of Base64: the largest square of 256 pixels in 256 colors. */
const longestPng = 100_000;

/** One line of a header: no line breaks, no controls. */
const line = (most: number) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(most),
    z.refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), 'has a line break or a control character'),
  );
/** The same, or nothing. */
const name = z.string().check(z.maxLength(longest.name), z.regex(/^[^\p{Cc}\u2028\u2029]*$/u));
const prose = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));
const address = z.string().check(
  z.maxLength(254),
  // no quoted local parts, no lists, no names: nothing that a header could take for more than one address
  z.regex(/^[^\s\p{Cc}<>()[\]\\,;:"@]{1,64}@[^\s\p{Cc}<>()[\]\\,;:"@]{1,253}$/u),
);
const linkOf = (protocol: RegExp) =>
  z.string().check(
    z.maxLength(2000),
    z.refine((text) => protocol.test(URL.parse(text)?.protocol ?? '') && !/[\s\p{Cc}<>"]/u.test(text), 'no address'),
  );
const link = linkOf(/^https?:$/);
/** Whether a mail can lead there. */
export const isMailLink = (url: string): boolean => link.safeParse(url).success;

const block = z.union([
  z.strictObject({ text: prose(longest.text) }),
  z.strictObject({
    button: z.strictObject({ label: line(longest.action), url: link, quiet: z.optional(z.literal(true)) }),
  }),
  z.strictObject({
    links: z.strictObject({
      label: line(longest.action),
      to: z.array(z.strictObject({ label: line(longest.action), url: link })).check(z.minLength(1), z.maxLength(5)),
    }),
  }),
  z.strictObject({ code: line(100) }),
  z.strictObject({
    facts: z
      .array(z.tuple([line(longest.label), prose(longest.fact), z.optional(linkOf(/^(?:https?|tel|mailto):$/))]))
      .check(z.minLength(1), z.maxLength(30)),
  }),
  z.strictObject({
    small: prose(longest.small),
    link: z.optional(z.strictObject({ label: line(longest.link), url: link })),
  }),
]);

const message = z.strictObject({
  key: line(300),
  kind: z.string().check(z.regex(/^[a-z]+\.[a-z-]+$/), z.maxLength(80)),
  to: address,
  fromName: z.optional(name),
  replyTo: z.optional(z.strictObject({ name, address })),
  userId: z.nullable(z.string()),
  locale: z.string().check(z.regex(/^[A-Za-z0-9-]{2,35}$/)),
  content: z.strictObject({
    subject: line(longest.title),
    heading: line(longest.title),
    blocks: z.array(block).check(z.minLength(1), z.maxLength(30)),
  }),
  color: z.optional(z.string().check(z.regex(/^#[0-9a-f]{6}$/))),
  logo: z.optional(
    z.strictObject({ name, png: z.string().check(z.maxLength(longestPng), z.startsWith('iVBORw0KGgo')) }),
  ),
  calendar: z.optional(
    z.strictObject({
      method: z.enum(['REQUEST', 'CANCEL', 'REPLY', 'COUNTER', 'PUBLISH']),
      ics: z.string().check(z.maxLength(500_000), z.startsWith('BEGIN:VCALENDAR')),
    }),
  ),
  forget: z.optional(z.boolean()),
  stopUrl: z.optional(link),
  about: z.optional(z.array(line(80)).check(z.maxLength(100))),
  unproved: z.optional(
    z.strictObject({
      share: z.enum(['named', 'given', 'account']),
      sender: line(80),
      of: z.optional(line(200)),
      isSoon: z.optional(z.boolean()),
      as: z.optional(z.enum(['counted', 'owed'])),
    }),
  ),
  expiresAtMs: z.optional(z.number()),
});

/** Whether a message can be queued: its texts and addresses come from others. */
export const isMailable = (one: MailMessage): boolean => message.safeParse(one).success;

/**
 * Refuses what could not be one mail to one person: a second line in a header, a list of addresses, a `javascript:` link.
 * *Errors*: AppError invalid; it names the field, not what stands in it.
 */
export function checkMessage(given: MailMessage): void {
  const { error } = message.safeParse(given);
  if (error === undefined) return;
  const [issue] = error.issues;
  throw new AppError('invalid', 'INVALID_INPUT', `A mail cannot be sent: its ${issue?.path.join('.')} is not usable.`);
}

/** No half of an emoji is left, and no isolate stays open. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = `${text.slice(0, most - 2).replace(/[\ud800-\udbff]$/, '')}…`;
  return kept.lastIndexOf(isolate) > kept.lastIndexOf(isolateEnd) ? `${kept}${isolateEnd}` : kept;
}

/** The same, no longer than a mail may be: a long name must not be why nobody is told. */
export function fitContent({ subject, heading, blocks }: MailContent): MailContent {
  return { subject: cut(subject, longest.title), heading: cut(heading, longest.title), blocks: blocks.map(fitBlock) };
}

function fitBlock(block: MailBlock): MailBlock {
  const shorten = <Link extends { label: string }>(link: Link, most: number) => ({
    ...link,
    label: cut(link.label, most),
  });
  if ('text' in block) return { text: cut(block.text, longest.text) };
  if ('button' in block) return { button: shorten(block.button, longest.action) };
  if ('links' in block) {
    const to = block.links.to.map((link) => shorten(link, longest.action));
    return { links: { label: cut(block.links.label, longest.action), to } };
  }
  if ('facts' in block) {
    return {
      facts: block.facts.map(
        ([label, fact, ...url]) => [cut(label, longest.label), cut(fact, longest.fact), ...url] as const,
      ),
    };
  }
  if ('code' in block) return block;
  const small = cut(block.small, longest.small);
  return block.link === undefined ? { small } : { small, link: shorten(block.link, longest.link) };
}

/** A name in a header of a mail, of which no mail program makes a link. */
export const senderName = (text: string): string => unlink(plainName(text));

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const [isolate, isolateEnd, joiner] = ['\u2068', '\u2069', '\u2060'];

/** The end of a label in an address. Browsers read four signs as a dot (RFC 3490 3.1); one of them ends sentences in Japanese. */
const dots = '[.．｡]|(?<=[\\p{Script=Latin}\\p{N}-])。|。(?=\\p{Script=Latin})';
const beforeLabel = new RegExp(`@(?=\\S)|:(?=\\/\\/)|(?:${dots})(?=\\p{L}[\\p{L}\\p{M}\\p{N}-])`, 'gu');

/** The signs before which a mail program would find an address are kept apart from what follows. */
const unlink = (text: string) => text.replace(beforeLabel, `$&${joiner}`);

/** Controls, line breaks, signs of direction, and signs that nobody sees. */
const unseen = `\\p{Cc}\\u2028\\u2029${unseenSigns}`;
const runOfUnseen = new RegExp(`[${unseen}]+`, 'gu');
const runWithinLine = new RegExp(`(?:(?!\\n)[${unseen}])+`, 'gu');

/** A text of `unlinkText` for calendars, which keep signs that nobody sees: spaces part the address as well. */
export const spaceOut = (text: string): string => text.replaceAll(joiner, ' ');

/**
 * The same for titles and names. Calendars make links of places and descriptions only, so one dot stays in a word such as
 * `olga.host`. A word that can only be an address is parted all the same: `www.example.org`, `example.org/now`.
 */
export const spaceOutName = (text: string): string =>
  spaceOut(text.replace(/(?<!\S)[^\s/\u2060]+\.\u2060[^\s/\u2060]+(?=\s|$)/gu, (word) => word.replace(joiner, '')));

const rightToLeft = /[\p{Script=Hebr}\p{Script=Arab}\p{Script=Syrc}\p{Script=Thaa}\p{Script=Nkoo}\p{Script=Adlm}]/u;

/** Without isolates around text that runs in the direction of the rest: some mail programs show them as boxes. */
export function dropIsolates(text: string, direction: 'ltr' | 'rtl'): string {
  if (direction === 'rtl') return text;
  return text.replace(/\u2068([^\u2068\u2069]*)\u2069/g, (whole, inner: string) =>
    rightToLeft.test(inner) ? whole : inner,
  );
}

/**
 * Quotes text of others within a sentence of ours: on one line, cut after 80 characters as people count them. The text
 * cannot turn the direction of the rest, and mail programs do not turn it into a link.
 */
export function quoteName(text: string): string {
  return `${isolate}${unlink(plainName(text))}${isolateEnd}`;
}

/** UTF-16 units of a name that are looked at: 80 signs of 16 units each, and room for what is left out. */
const mostNameUnits = 5_000;

/** The same without signs of ours in it, for headers. */
export function plainName(text: string): string {
  const start = text.slice(0, mostNameUnits).toWellFormed();
  const plain = start.replaceAll(joiner, '').replace(runOfUnseen, ' ').replace(/\s+/g, ' ').trim();
  const signs = [...graphemes.segment(plain)].map(({ segment }) => segment.slice(0, 16));
  return signs.length > 80 ? `${signs.slice(0, 79).join('')}…` : signs.join('');
}

/** An address as people copy it, unless mail programs could take it for one of a page: `example.org/a?b@example.com`. */
export const quoteAddress = (address: string): string =>
  /^[\p{L}\p{M}\p{N}.+_'-]+@/u.test(address) ? address : quoteName(address);

/** A text on one line, for places that take no signs of direction, such as calendar files: no program makes a link of it. */
export function unlinkText(text: string, most: number): string {
  const plain = text.toWellFormed().replaceAll(joiner, '').replace(runOfUnseen, ' ');
  return cut(unlink(plain.replace(/\s+/g, ' ').trim()), most);
}

/** A longer text of others, which keeps its lines; what is too long for a mail is cut. */
export function quoteText(text: string, most = 2_100): string {
  // whatever lies behind is cut all the same
  const quoted = text
    .slice(0, 4 * most)
    .toWellFormed()
    .replaceAll(joiner, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(runWithinLine, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .split('\n')
    .map((one) => (one.trim() === '' ? '' : `${isolate}${unlink(one.trimEnd())}${isolateEnd}`))
    .join('\n');
  return cut(quoted, most);
}

/** The same with the name of the install in it. */
export function nameInstall(content: MailContent, name: string): MailContent {
  return JSON.parse(
    JSON.stringify(content).replaceAll(nameSign, () => JSON.stringify(name).slice(1, -1)),
  ) as MailContent;
}
