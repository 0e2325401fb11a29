import { type Reply, type Request, reply } from '#emulators/kit/exchange.ts';
import { describeResource, MULTISTATUS } from './answer-propfind.ts';
import { escapeXml, refuse, xmlReply } from './exchange.ts';
import { CALDAV, DAV, type RequestBody, readBody } from './read-body.ts';
import { calendarHref, objectHref, type Resource, resolve } from './resolve.ts';
import { formatToken, readToken } from './sync-token.ts';
import type { User, World } from './world.ts';

type CalendarResource = Extract<Resource, { kind: 'calendar' }>;

/** Source: RFC 3253 section 3.6, RFC 4791 section 7, RFC 6578 section 3. */
export function answerReport(world: World, request: Request, resource: Resource, user: User): Reply {
  if (resource.kind === 'missing' || resource.kind === 'well-known') return reply(404);
  const body = readBody(request.body);
  if (!body) return reply(400);
  if (resource.kind !== 'calendar') return refuse(403, 'D:supported-report');
  if (body.root === `{${DAV}}sync-collection` && world.quirks.syncCollection) {
    return syncCollection(world, request, body, resource, user);
  }
  if (body.root === `{${CALDAV}}calendar-multiget`) return multiget(world, body, resource, user);
  if (body.root === `{${CALDAV}}calendar-query`) return calendarQuery(world, body, resource, user);
  return refuse(403, 'D:supported-report');
}

/**
 * Members changed since the token, each at its last place in the log, so that a cut answer can be continued from the
 * token it carries. With nothing changed this reads nothing, whatever the calendar holds.
 */
function syncCollection(
  world: World,
  request: Request,
  body: RequestBody,
  resource: CalendarResource,
  user: User,
): Reply {
  const { quirks } = world;
  const { calendar } = resource;
  const depth = request.headers.depth;
  if (depth !== undefined && depth !== '0') return reply(400);
  if (quirks.needsSyncLevel && body.syncLevel !== '1' && body.syncLevel !== 'infinite') return reply(400);
  let since = 0;
  let tombstones = quirks.initialSyncListsTombstones;
  if (body.syncToken) {
    const position = readToken(world, calendar, body.syncToken);
    if (position.kind === 'invalid') {
      const broken = quirks.invalidToken === 500 || quirks.tokenOfRecreated === 500;
      return broken ? reply(500) : refuse(403, 'D:valid-sync-token');
    }
    if (position.kind === 'nothing') since = calendar.log.length;
    else if (position.kind === 'from') [since, tombstones] = [position.revision, true];
    else tombstones = position.tombstones;
  }
  const limit = Math.min(body.limit ?? Number.POSITIVE_INFINITY, quirks.truncatesSyncAt ?? Number.POSITIVE_INFINITY);
  const asked = body.props.length > 0 ? body.props : null;
  const onlyEtag = asked?.length === 1 && asked[0] === `{${DAV}}getetag`;
  let out = MULTISTATUS;
  let sent = 0;
  let reached = calendar.log.length;
  for (let index = since; index < calendar.log.length; index += 1) {
    const name = calendar.log[index]!;
    const object = calendar.objects.get(name);
    const isChange = object?.revision === index + 1;
    const isRemoval = tombstones && calendar.tombstones.get(name) === index + 1;
    if (!isChange && !isRemoval) continue;
    if (sent >= limit) {
      reached = index;
      break;
    }
    sent += 1;
    if (!object || isRemoval) out += gone(objectHref(world, user, calendar, name));
    else if (onlyEtag) out += tagged(objectHref(world, user, calendar, name), object.etag);
    else out += describeResource(world, { ...resource, kind: 'object', object }, user, asked, false);
  }
  if (reached < calendar.log.length) {
    out +=
      `<D:response><D:href>${calendarHref(user, calendar)}</D:href><D:status>HTTP/1.1 507 Insufficient Storage</D:status>` +
      '<D:error><D:number-of-matches-within-limits/></D:error></D:response>';
  }
  return xmlReply(
    207,
    `${out}<D:sync-token>${escapeXml(formatToken(world, calendar, reached))}</D:sync-token></D:multistatus>`,
  );
}

function multiget(world: World, body: RequestBody, resource: CalendarResource, user: User): Reply {
  const asked = body.props.length > 0 ? body.props : null;
  let out = MULTISTATUS;
  for (const href of body.hrefs) {
    const target = resolve(world, href);
    if (target.kind === 'object' && target.calendar === resource.calendar) {
      out += describeResource(world, target, user, asked, false);
    } else if (world.quirks.missingInMultiget === 404) {
      out += gone(href);
    }
  }
  return xmlReply(207, `${out}</D:multistatus>`);
}

/** By component only: a filter that is not understood is refused, never guessed. Source: RFC 4791 section 7.8. */
function calendarQuery(world: World, body: RequestBody, resource: CalendarResource, user: User): Reply {
  if (body.filters.some((name) => name !== `{${CALDAV}}comp-filter`)) return refuse(403, 'C:supported-filter');
  const asked = body.props.length > 0 ? body.props : null;
  let out = MULTISTATUS;
  if (body.components.every((name) => name === 'VCALENDAR' || name === 'VEVENT')) {
    for (const object of resource.calendar.objects.values()) {
      out += describeResource(world, { ...resource, kind: 'object', object }, user, asked, true);
    }
  }
  return xmlReply(207, `${out}</D:multistatus>`);
}

function gone(href: string): string {
  return `<D:response><D:href>${escapeXml(href)}</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>`;
}

function tagged(href: string, etag: string): string {
  return (
    `<D:response><D:href>${href}</D:href><D:propstat><D:prop><D:getetag>${escapeXml(etag)}</D:getetag></D:prop>` +
    '<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>'
  );
}
