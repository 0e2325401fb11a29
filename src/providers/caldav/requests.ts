import { escapeXml } from './xml.ts';

/** Bodies of the DAV requests we send. Source: RFC 4918, RFC 4791, RFC 6578. */

const open = (root: string) =>
  `<?xml version="1.0" encoding="utf-8"?><${root} xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" ` +
  'xmlns:cs="http://calendarserver.org/ns/" xmlns:ical="http://apple.com/ns/ical/">';

const propfind = (props: string) => `${open('d:propfind')}<d:prop>${props}</d:prop></d:propfind>`;

export const askPrincipal = propfind(
  '<d:current-user-principal/><d:resourcetype/><c:calendar-home-set/><c:supported-calendar-component-set/>',
);

export const askHome = propfind('<c:calendar-home-set/><c:calendar-user-address-set/><d:displayname/>');

/** Source: RFC 6638 2.1.1, 2.4.1. */
export const askOutbox = propfind('<c:schedule-outbox-URL/><c:calendar-user-address-set/>');

export const askCalendars = propfind(
  '<d:resourcetype/><d:displayname/><c:supported-calendar-component-set/><d:current-user-privilege-set/>' +
    '<c:calendar-timezone/><ical:calendar-color/>',
);

/** Token and ctag of a collection, taken before it is listed, so that what changes meanwhile comes again. */
export const askCursor = propfind('<d:resourcetype/><d:sync-token/><cs:getctag/>');

/** Without the token, which takes Radicale as long as the report itself. */
export const askTag = propfind('<cs:getctag/>');

export const askListing = propfind('<d:resourcetype/><d:getetag/>');

export const askVersion = propfind('<d:getetag/>');

/** `sync-level` is always there: Xandikos answers 400 without it. An empty token asks for everything. */
export function askChanges(token: string): string {
  return (
    `${open('d:sync-collection')}<d:sync-token>${escapeXml(token)}</d:sync-token><d:sync-level>1</d:sync-level>` +
    '<d:prop><d:getetag/></d:prop></d:sync-collection>'
  );
}

export function askObjects(paths: string[]): string {
  const hrefs = paths.map((path) => `<d:href>${escapeXml(path)}</d:href>`).join('');
  return `${open('c:calendar-multiget')}<d:prop><d:getetag/><c:calendar-data/></d:prop>${hrefs}</c:calendar-multiget>`;
}

/** The VEVENT filter is not decoration: iCloud fails without it. The answer is checked, never trusted. */
export function askUid(uid: string): string {
  return (
    `${open('c:calendar-query')}<d:prop><d:getetag/><c:calendar-data/></d:prop><c:filter>` +
    '<c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:prop-filter name="UID">' +
    `<c:text-match collation="i;octet">${escapeXml(uid)}</c:text-match>` +
    '</c:prop-filter></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>'
  );
}
