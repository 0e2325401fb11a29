import { type Core, type EventBody, masterOf } from '#kernel/event.ts';
import { foldText } from '#kernel/text/fold-text.ts';

export const contactSources = ['booking', 'calendar', 'hand', 'import'] as const;
export type ContactSource = (typeof contactSources)[number];

export const contactOrders = ['last', 'name', 'total'] as const;

/** The age of the last meeting. `ahead`: it is in the future. */
export const meetingAges = ['30-days', '90-days', 'longer', 'never', 'ahead'] as const;

/** The most that a user can have. Nothing is added automatically beyond it. */
export const mostContacts = 20_000;
export const mostTags = 20;
export const mostNotes = 500;
export const longest = {
  name: 200,
  address: 254,
  phone: 40,
  company: 200,
  tag: 40,
  note: 4_000,
  subject: 200,
} as const;

/** A meeting of more others than this is a crowd: it makes nobody known. */
const mostOthers = 50;

export const importLimits = { bytes: 2 * 1024 * 1024, rows: 5_000 } as const;

/** Mails that a person can have sent: to all contacts, and to one. */
export const followUpsADay = { all: 30, one: 3 } as const;

/** For how long a deletion can be taken back. */
export const keptMs = 30 * 86_400_000;

/** As a mailbox is written on a line of its own: what a header could take for more than one is none. */
const form = /^[^\s\p{Cc}<>()[\]\\,;:"@]{1,64}@[^\s\p{Cc}<>()[\]\\,;:"@]{1,253}$/u;

/** An address as contacts keep it: lower case. Null for what is none. */
export function readAddress(typed: string): string | null {
  const address = typed
    .trim()
    .replace(/^mailto:/i, '')
    .toLowerCase();
  return address.length <= longest.address && form.test(address) ? address : null;
}

/** A folded text, cut at what its field may have: folding makes eighteen characters of some. */
const foldTo = (most: number, text: string | null) =>
  foldText(text ?? '')
    .slice(0, most)
    .trimEnd();

/** A name by which two contacts may be one person: two words at least, in whatever order. Null for others. */
export function nameKey(name: string | null): string | null {
  const words = foldTo(longest.name, name).split(' ');
  return words.length < 2 ? null : words.toSorted().join(' ');
}

/** Rooms, calendars and machines are in events as people are. */
function isNobody(address: string): boolean {
  return (
    /@(?:[^@]+\.)?calendar\.google\.com$/.test(address) ||
    /^(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster|notifications?)(?:[+-][^@]*)?@/.test(address)
  );
}

/** The searchable text of a contact, folded. It begins with a space, so that patterns match the beginning of words. */
export function contactText(one: {
  name: string | null;
  address: string;
  company: string | null;
  phone: string | null;
  tags: readonly string[];
}): string {
  const folded = [
    foldTo(longest.name, one.name),
    foldTo(longest.address, one.address),
    foldTo(longest.company, one.company),
    foldTo(longest.phone, one.phone),
    ...one.tags.map((tag) => foldTo(longest.tag, tag)),
  ];
  return ` ${folded.filter(Boolean).join(' ')}`;
}

/** A contact as somebody writes or brings it. */
export interface ContactDraft {
  address: string;
  name: string | null;
  phone: string | null;
  company: string | null;
  tags: readonly string[];
  note: string | null;
}

/** One line, at most so many signs; null where nothing is left. */
export function trimLine(text: string | null | undefined, most: number): string | null {
  // a sign has at most two code units
  const line = (text ?? '')
    .trimStart()
    .slice(0, 2 * most)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .toWellFormed();
  return line === '' ? null : [...line].slice(0, most).join('').trim();
}

/** Tags of one contact that are looked at, the repeated and the empty ones included. */
export const mostTagsRead = 2 * mostTags;

/** Once each whatever their case, in their order. */
export function trimTags(tags: readonly string[], longest: number, most: number): string[] {
  const once = new Map<string, string>();
  for (const tag of tags.slice(0, mostTagsRead)) {
    if (once.size === most) break;
    const name = trimLine(tag, longest);
    if (name !== null && !once.has(name.toLowerCase())) once.set(name.toLowerCase(), name);
  }
  return [...once.values()];
}

/** Version of the extraction: an increase makes all events be read again. */
export const attendanceEdition = 1;

/** An address in an event. */
export interface Attendance {
  address: string;
  name: string | null;
  /** Instances of a series by rec id, or null for all except `notIn`. */
  onlyIn: string[] | null;
  notIn: string[];
}

/** The other attendees of an event, and their instances of a series. `own` addresses are in lower case. */
export function attendancesOf(body: EventBody, own: ReadonlySet<string>): Attendance[] {
  const people = new Map<string, Attendance>();
  const add = (address: string, name: string | null, change: (one: Attendance) => void, fresh: string[] | null) => {
    const one = people.get(address) ?? { address, name, onlyIn: fresh, notIn: [] };
    one.name ??= name;
    change(one);
    people.set(address, one);
  };
  const master = masterOf(body);
  const whole = master === null ? new Map<string, string | null>() : othersIn(master.core, own);
  for (const { to } of body.kind === 'split' ? body.changes : []) {
    if (to !== null) for (const [address, name] of othersIn(to.core, own)) whole.set(address, name);
  }
  for (const [address, name] of whole) add(address, name, () => undefined, null);
  const apart = master?.kind === 'series' ? master.overrides : body.kind === 'instances' ? body.list : {};
  for (const [recId, { core }] of Object.entries(apart)) {
    const here = othersIn(core, own);
    for (const [address, name] of here) add(address, name, (one) => one.onlyIn?.push(recId), []);
    for (const address of whole.keys()) if (!here.has(address)) people.get(address)?.notIn.push(recId);
  }
  return [...people.values()];
}

/** An empty list where an event has too many attendees. */
function othersIn({ attendees = [] }: Core, own: ReadonlySet<string>): Map<string, string | null> {
  const others = new Map<string, string | null>();
  for (const { email, name } of attendees) {
    const address = readAddress(email);
    if (address === null || own.has(address) || isNobody(address)) continue;
    const told = name?.trim() ?? '';
    others.set(address, others.get(address) ?? (told === '' || told.toLowerCase() === address ? null : told));
  }
  return others.size > mostOthers ? new Map() : others;
}
