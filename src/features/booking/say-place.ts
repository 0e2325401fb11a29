import { isMailLink, type MailFact, quoteName, quoteText } from '#platform/mail-message.ts';
import type { SayMail } from '#platform/mail-words.ts';
import type en from './mail.en.json';
import { telLink } from './rules/check-answers.ts';
import type { TypeSettings } from './rules/type-settings.ts';

interface Meeting {
  location: TypeSettings['location'];
  host: { name: string };
  guest: { name: string; phone: string | null };
  /** A service that makes meetings has made this one. */
  hasLink: boolean;
  lacksLink: boolean;
}

type Say = SayMail<typeof en>;

/** Where a meeting is, as its guests or its host read it: an address leads to a map, a number to the phone. */
export function sayPlace(
  say: Say,
  { location, host, guest, hasLink, lacksLink }: Meeting,
  { isHost }: { isHost: boolean },
): MailFact[] {
  const label = say('facts.where');
  switch (location.kind) {
    case 'in-person': {
      const address = location.address.trim();
      if (address === '') return [[label, sayOpenPlace(say, { location, host, guest }, { isHost, name: quoteName })]];
      return [[label, quoteText(address), ...mapOf(address)]];
    }
    case 'link':
      return [[label, say('where.link', { site: URL.parse(location.url)?.host ?? '' })]];
    case 'phone': {
      const phone = placeOf({ location, guest });
      if (phone === '') return [[label, sayOpenPlace(say, { location, host, guest }, { isHost, name: quoteName })]];
      const isReaderCalling = (location.who_calls === 'host') === isHost;
      if (isReaderCalling) return [[label, say('where.call', { phone }), ...dialOf(phone)]];
      return isHost
        ? [[label, say('where.guest-will-call', { guest: quoteName(guest.name), phone })]]
        : [[label, say('where.host-calls', { host: quoteName(host.name), phone })]];
    }
    default: {
      const service = sayService(say, { location });
      if (lacksLink && !hasLink)
        return isHost
          ? [[label, say('where.link-by-you', { service, guest: quoteName(guest.name) })]]
          : [[label, say('where.link-by-host', { host: quoteName(host.name) })]];
      // hosts get no mail about a link, and a meeting that does not take place gets no link
      return [[label, hasLink || isHost ? service : say('where.link-follows', { service })]];
    }
  }
}

/** The kind of meeting, or the service that makes it. */
export const sayService = (say: Say, { location: { kind } }: Pick<Meeting, 'location'>): string =>
  say(`where.${kind === 'link' ? 'online' : kind}`);

/** A place whose address or number its host has not entered, or whose number its reader is not told. */
export function sayOpenPlace(
  say: Say,
  { location, host, guest }: Pick<Meeting, 'location' | 'host' | 'guest'>,
  { isHost, name }: { isHost: boolean; name: (text: string) => string },
): string {
  const names = { host: name(host.name), guest: name(guest.name) };
  if (location.kind === 'in-person') return say(isHost ? 'where.in-person-tell' : 'where.in-person-later', names);
  if (location.kind !== 'phone') return sayService(say, { location });
  if (location.who_calls === 'guest') return say(isHost ? 'where.number-tell' : 'where.number-later', names);
  return isHost ? sayService(say, { location }) : say('where.host-calls-you', names);
}

/** The end of a number that somebody typed: its owner sees which one it is, and nobody can be made to call it. */
export const endOfPhone = (phone: string | null): string | null =>
  phone === null ? null : `…${phone.replaceAll(/\D/g, '').slice(-3)}`;

/** A place as calendars take it over: a number to dial or an address to find, without words around it. */
export function placeOf({ location, guest }: Pick<Meeting, 'location' | 'guest'>): string {
  if (location.kind === 'in-person') return location.address.trim();
  if (location.kind !== 'phone') return '';
  return (location.who_calls === 'guest' ? location.number : guest.phone) ?? '';
}

/** Where a number is dialed; none where it has an extension, which people dial later. */
export function dialOf(phone: string): [string] | [] {
  return /^\+?[\d\s().\-/]{3,}$/.test(phone) ? [telLink(phone)] : [];
}

function mapOf(address: string): [string] | [] {
  const query = new URLSearchParams({ api: '1', query: address.replaceAll('\u2060', '').replaceAll(/\s+/g, ' ') });
  const url = `https://www.google.com/maps/search/?${query.toString()}`;
  return isMailLink(url) ? [url] : [];
}
