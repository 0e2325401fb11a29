/**
 * The people of an event, for the filter "Client Meetings Only" / "Personal Only":
 * `client`: at least one person outside the owner's own addresses and domains; `colleagues`: other people, all of them
 * inside;
 * `personal`: nobody else.
 *
 * The owner's own are the addresses of the account and its connections, and everything at their domains. Public mail
 * domains do not count: two people at gmail.com have nothing in common. Rooms and group calendars are not people.
 * Events without visible people (only "busy", or no addresses) count as personal.
 */
export const audiences = ['personal', 'colleagues', 'client'] as const;
export type Audience = (typeof audiences)[number];

export interface OwnSide {
  addresses: ReadonlySet<string>;
  domains: ReadonlySet<string>;
}

/** A person's own addresses and domains, from every address that is known to be theirs. */
export function ownSideOf(addresses: readonly string[]): OwnSide {
  const own = addresses.map((address) => address.trim().toLowerCase()).filter((address) => address.includes('@'));
  const domains = own.map(domainOf).filter((domain) => !publicMailDomains.has(domain));
  return { addresses: new Set(own), domains: new Set(domains) };
}

/** Shape: `attendees` as the calendar gives them; the owner may be among them. */
export function audienceOf(attendees: readonly { email: string }[], own: OwnSide): Audience {
  let audience: Audience = 'personal';
  for (const { email } of attendees) {
    const address = email.trim().toLowerCase();
    const domain = domainOf(address);
    if (domain === '' || own.addresses.has(address) || isPlace(domain)) continue;
    if (!isInside(domain, own.domains)) return 'client';
    audience = 'colleagues';
  }
  return audience;
}

/** Whether an address is of somebody outside; rooms are nobody. */
export function isOutside(address: string, own: OwnSide): boolean {
  return audienceOf([{ email: address }], own) === 'client';
}

function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? '' : address.slice(at + 1);
}

/** The domain or one under it: `eu.firm.example` is `firm.example`'s. */
function isInside(domain: string, own: ReadonlySet<string>): boolean {
  for (let rest = domain; rest !== ''; rest = rest.slice(rest.indexOf('.') + 1)) {
    if (own.has(rest)) return true;
    if (!rest.includes('.')) return false;
  }
  return false;
}

/** Rooms, equipment and whole calendars of Google, which it lists among the attendees. */
function isPlace(domain: string): boolean {
  return domain === 'resource.calendar.google.com' || domain === 'group.calendar.google.com';
}

/** Where anybody gets a mailbox: the providers that people in this field use most, not every one there is. */
const publicMailDomains: ReadonlySet<string> = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com hotmail.co.uk hotmail.de hotmail.fr live.com msn.com
  icloud.com me.com mac.com yahoo.com yahoo.co.uk yahoo.co.jp yahoo.de yahoo.fr ymail.com rocketmail.com
  aol.com proton.me protonmail.com pm.me fastmail.com fastmail.fm zoho.com zohomail.com zohomail.eu
  gmx.de gmx.net gmx.com gmx.at gmx.ch web.de t-online.de freenet.de posteo.de mailbox.org tutanota.com tuta.com
  mail.com mail.ru yandex.com yandex.ru hey.com qq.com 163.com 126.com naver.com orange.fr wanadoo.fr laposte.net
  free.fr libero.it virgilio.it seznam.cz wp.pl o2.pl bluewin.ch btinternet.com comcast.net verizon.net att.net`.split(
    /\s+/,
  ),
);
