import { createHash } from 'node:crypto';
import { type Reply, type Request, reply } from '#emulators/kit/exchange.ts';
import { escapeAttribute, escapeXml, refuse, xmlReply } from './exchange.ts';
import { APPLE, CALDAV, CALENDAR_SERVER, DAV, readBody } from './read-body.ts';
import { calendarHref, homeHref, objectHref, outboxHref, principalHref, type Resource } from './resolve.ts';
import { formatToken } from './sync-token.ts';
import type { Calendar, User, World } from './world.ts';

export const MULTISTATUS =
  '<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/" xmlns:A="http://apple.com/ns/ical/">';

type Existing = Exclude<Resource, { kind: 'well-known' | 'missing' }>;
/** Inner XML of a property, or null where the resource does not have it. */
type Property = (world: World, resource: Existing, user: User) => string | null;

const href = (path: string) => `<D:href>${escapeXml(path)}</D:href>`;
const PREFIXES: Record<string, string> = { [DAV]: 'D', [CALDAV]: 'C', [CALENDAR_SERVER]: 'CS', [APPLE]: 'A' };

const PROPERTIES: Record<string, Property> = {
  [`{${DAV}}resourcetype`]: (_, { kind }) => {
    if (kind === 'calendar') return '<D:collection/><C:calendar/>';
    if (kind === 'principal') return '<D:collection/><D:principal/>';
    return kind === 'object' ? '' : '<D:collection/>';
  },
  [`{${DAV}}current-user-principal`]: (_, __, user) => href(principalHref(user)),
  [`{${DAV}}principal-URL`]: (_, it) => (it.kind === 'principal' ? href(principalHref(it.user)) : null),
  [`{${CALDAV}}calendar-home-set`]: (_, it) => (it.kind === 'principal' ? href(homeHref(it.user)) : null),
  [`{${CALDAV}}calendar-user-address-set`]: (_, it) =>
    it.kind === 'principal' ? href(`mailto:${it.user.address}`) + href(principalHref(it.user)) : null,
  [`{${CALDAV}}schedule-outbox-URL`]: (world, it) =>
    it.kind === 'principal' && world.quirks.autoSchedule ? href(outboxHref(it.user)) : null,
  [`{${DAV}}owner`]: (_, it) => ('user' in it ? href(principalHref(it.user)) : null),
  [`{${DAV}}displayname`]: (_, it) => {
    if (it.kind === 'calendar') return escapeXml(it.calendar.displayName);
    return it.kind === 'principal' ? escapeXml(it.user.name) : null;
  },
  [`{${DAV}}getetag`]: (_, it) => (it.kind === 'object' ? escapeXml(it.object.etag) : null),
  [`{${DAV}}getcontenttype`]: (_, it) => (it.kind === 'object' ? 'text/calendar; charset=utf-8' : null),
  [`{${DAV}}getcontentlength`]: (_, it) => (it.kind === 'object' ? String(Buffer.byteLength(it.object.body)) : null),
  [`{${CALDAV}}calendar-data`]: (_, it) => (it.kind === 'object' ? escapeXml(it.object.body) : null),
  [`{${CALDAV}}supported-calendar-component-set`]: (_, it) =>
    it.kind === 'calendar' ? '<C:comp name="VEVENT"/>' : null,
  [`{${CALDAV}}max-resource-size`]: (world, it) =>
    it.kind === 'calendar' ? String(world.quirks.maxResourceBytes) : null,
  [`{${CALDAV}}calendar-timezone`]: (_, it) =>
    it.kind === 'calendar' && it.calendar.zone ? zoneObject(it.calendar.zone) : null,
  [`{${APPLE}}calendar-color`]: (_, it) =>
    it.kind === 'calendar' && it.calendar.color ? escapeXml(it.calendar.color) : null,
  [`{${CALENDAR_SERVER}}getctag`]: (world, it) => (it.kind === 'calendar' ? formatCtag(world, it.calendar) : null),
  [`{${DAV}}sync-token`]: (world, it) =>
    it.kind === 'calendar' && world.quirks.syncCollection
      ? escapeXml(formatToken(world, it.calendar, it.calendar.log.length))
      : null,
  [`{${DAV}}supported-report-set`]: (world, it) =>
    it.kind === 'calendar'
      ? ['C:calendar-multiget', 'C:calendar-query', ...(world.quirks.syncCollection ? ['D:sync-collection'] : [])]
          .map((name) => `<D:supported-report><D:report><${name}/></D:report></D:supported-report>`)
          .join('')
      : null,
  [`{${DAV}}current-user-privilege-set`]: (_, it) => {
    const readOnly = (it.kind === 'calendar' || it.kind === 'object') && it.calendar.readOnly;
    const names = readOnly
      ? ['read', 'read-current-user-privilege-set']
      : ['read', 'read-current-user-privilege-set', 'write', 'write-content', 'write-properties', 'bind', 'unbind'];
    return names.map((name) => `<D:privilege><D:${name}/></D:privilege>`).join('');
  },
};

const hashOf = (lines: string[]) => createHash('sha256').update(lines.join('\n')).digest('hex');

function formatCtag(world: World, calendar: Calendar): string | null {
  switch (world.quirks.ctags) {
    case 'tokens':
      return escapeXml(formatToken(world, calendar, calendar.log.length));
    case 'contents':
      return hashOf([...calendar.objects].map(([name, { etag }]) => `${name} ${etag}`).toSorted());
    case 'stuck':
      return 'stuck';
    case 'none':
      return null;
  }
}

/** Left out of allprop because they are large or costly. Source: RFC 4791 section 9.6, RFC 3744 section 5. */
const NOT_IN_ALLPROP = new Set([
  `{${CALDAV}}calendar-data`,
  `{${DAV}}supported-report-set`,
  `{${DAV}}current-user-privilege-set`,
]);

/** Source: RFC 4918 section 9.1. */
export function answerPropfind(world: World, request: Request, resource: Resource, user: User): Reply {
  if (resource.kind === 'missing' || resource.kind === 'well-known') return reply(404);
  const depth = request.headers.depth ?? 'infinity';
  if (depth !== '0' && depth !== '1') return refuse(403, 'D:propfind-finite-depth');
  const body = request.body === '' ? null : readBody(request.body);
  if (request.body !== '' && body?.root !== `{${DAV}}propfind`) return reply(400);
  const asked = body && body.props.length > 0 ? body.props : null;
  const minimal = request.headers.prefer?.includes('return=minimal') ?? false;
  let out = MULTISTATUS;
  for (const member of depth === '1' ? [resource, ...membersOf(resource)] : [resource]) {
    out += describeResource(world, member, user, asked, minimal);
  }
  return xmlReply(207, `${out}</D:multistatus>`, { dav: '1, 3, access-control, calendar-access' });
}

/** One DAV:response with the properties found, and apart from them those the resource does not have. */
export function describeResource(
  world: World,
  resource: Existing,
  user: User,
  asked: readonly string[] | null,
  minimal: boolean,
): string {
  let found = '';
  let missing = '';
  for (const name of asked ?? Object.keys(PROPERTIES)) {
    if (!asked && NOT_IN_ALLPROP.has(name)) continue;
    const value = PROPERTIES[name]?.(world, resource, user) ?? null;
    if (value !== null) found += element(name, value);
    else if (asked && !minimal) missing += element(name, '');
  }
  return (
    `<D:response>${href(pathOf(world, resource))}` +
    (found === '' && missing !== ''
      ? ''
      : `<D:propstat><D:prop>${found}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>`) +
    (missing === ''
      ? ''
      : `<D:propstat><D:prop>${missing}</D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>`) +
    '</D:response>'
  );
}

function element(name: string, value: string): string {
  const split = name.lastIndexOf('}');
  const [namespace, local] = [name.slice(1, split), name.slice(split + 1)];
  const prefix = PREFIXES[namespace];
  const tag = prefix ? `${prefix}:${local}` : `X:${local}`;
  const declaration = prefix ? '' : ` xmlns:X="${escapeAttribute(namespace)}"`;
  return value === '' ? `<${tag}${declaration}/>` : `<${tag}${declaration}>${value}</${tag}>`;
}

function membersOf(resource: Existing): Existing[] {
  if (resource.kind === 'home') {
    return [...resource.user.calendars.values()].map((calendar) => ({
      kind: 'calendar',
      user: resource.user,
      calendar,
    }));
  }
  if (resource.kind === 'calendar') {
    return [...resource.calendar.objects.values()].map((object) => ({ ...resource, kind: 'object', object }));
  }
  return [];
}

export function pathOf(world: World, resource: Existing): string {
  if (resource.kind === 'root') return '/';
  if (resource.kind === 'principal') return principalHref(resource.user);
  if (resource.kind === 'outbox') return outboxHref(resource.user);
  if (resource.kind === 'home') return homeHref(resource.user);
  if (resource.kind === 'calendar') return calendarHref(resource.user, resource.calendar);
  return objectHref(world, resource.user, resource.calendar, resource.object.name);
}

/** CALDAV:calendar-timezone is a whole iCalendar object with one VTIMEZONE; its rules do not matter to readers of TZID. */
function zoneObject(zone: string): string {
  return escapeXml(
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//emulator//EN\r\nBEGIN:VTIMEZONE\r\nTZID:${zone}\r\nBEGIN:STANDARD\r\n` +
      'DTSTART:19700101T000000\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nEND:VCALENDAR\r\n',
  );
}
