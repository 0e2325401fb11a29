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
}

type Say = SayMail<typeof en>;

/** Where a meeting is, as its guests or its host read it: an address leads to a map, a number to the phone. */
export function sayPlace(
  say: Say,
  { location, host, guest, hasLink }: Meeting,
  { isHost }: { isHost: boolean },
): MailFact[] {
  const label = say('facts.where');
  switch (location.kind) {
    case 'in-person': {
      const address = location.address.trim();
      return address === '' ? [] : [[label, quoteText(address), ...mapOf(address)]];
    }
    case 'link':
      return [[label, say('where.link', { site: URL.parse(location.url)?.host ?? '' })]];
    case 'phone': {
      const phone = placeOf({ location, guest });
      if (phone === '' && location.who_calls === 'host' && !isHost)
        return [[label, say('where.host-calls-you', { host: quoteName(host.name) })]];
      if (phone === '') return [];
      const isReaderCalling = (location.who_calls === 'host') === isHost;
      if (isReaderCalling) return [[label, say('where.call', { phone }), ...dialOf(phone)]];
      return isHost
        ? [[label, say('where.guest-will-call', { guest: quoteName(guest.name), phone })]]
        : [[label, say('where.host-calls', { host: quoteName(host.name), phone })]];
    }
    default: {
      const service = sayService(say, { location });
      // hosts get no mail about a link, and a meeting that does not take place gets no link
      return [[label, hasLink || isHost ? service : say('where.link-follows', { service })]];
    }
  }
}

/** The service that makes the meeting; empty where none does. */
export function sayService(say: Say, { location: { kind } }: Pick<Meeting, 'location'>): string {
  return kind === 'google-meet' || kind === 'teams' ? say(`where.${kind}`) : '';
}

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
