import { foldText } from '#kernel/fold-text.ts';
import { longest } from './contact-limits.ts';

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

/**
 * What the variants of one mailbox have in common. Behind a plus is a label nearly everywhere; at Gmail dots mean nothing.
 */
export function variantKey(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  const [mailbox = ''] = address.slice(0, at).split('+');
  if (domain === 'gmail.com' || domain === 'googlemail.com') return `${mailbox.replaceAll('.', '')}@gmail.com`;
  return `${mailbox === '' ? address.slice(0, at) : mailbox}@${domain}`;
}

/** A name by which two contacts may be one person: two words at least, in whatever order. Null for others. */
export function nameKey(name: string | null): string | null {
  const words = foldText(name ?? '').split(' ');
  return words.length < 2 ? null : words.toSorted().join(' ');
}

/** Rooms, calendars and machines are in events as people are. */
export function isNobody(address: string): boolean {
  return (
    /@(?:[^@]+\.)?calendar\.google\.com$/.test(address) ||
    /^(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster|notifications?)(?:[+-][^@]*)?@/.test(address)
  );
}

/** What is searched of a contact, folded; begins with a space, so that words are found at their beginning. */
export function contactText(one: {
  name: string | null;
  address: string;
  company: string | null;
  phone: string | null;
  tags: readonly string[];
}): string {
  return ` ${foldText([one.name, one.address, one.company, one.phone, ...one.tags].filter(Boolean).join(' '))}`;
}
