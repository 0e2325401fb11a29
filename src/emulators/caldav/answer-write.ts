import { type Reply, type Request, reply } from '#emulators/kit/exchange.ts';
import { MULTISTATUS } from './answer-propfind.ts';
import { escapeAttribute, escapeXml, refuse, xmlReply } from './exchange.ts';
import { APPLE, DAV, readBody } from './read-body.ts';
import { type CalendarText, readCalendarText } from './read-calendar-text.ts';
import { calendarHref, objectHref, type Resource } from './resolve.ts';
import { addCalendar, type Calendar, putObject, removeObject, type World } from './world.ts';

const NO_PRIVILEGE = 'D:need-privileges';

/** Source: RFC 4791 section 5.3.2, RFC 9110 section 13.1. */
export function answerPut(world: World, request: Request, resource: Resource, nowMs: number): Reply {
  const { quirks } = world;
  if (resource.kind === 'calendar' || resource.kind === 'home') return reply(405);
  if (resource.kind !== 'object' && resource.kind !== 'missing')
    return refuse(403, 'C:calendar-collection-location-ok');
  const { calendar, user } = resource;
  if (!calendar || !user) return reply(409); // RFC 4918 section 9.7.1: the parent must be there
  if (calendar.readOnly) return refuse(403, NO_PRIVILEGE);
  const existing = resource.kind === 'object' ? resource.object : null;
  const name = existing?.name ?? (resource.kind === 'missing' ? resource.name : '');
  const ifMatch = request.headers['if-match'];
  if (request.headers['if-none-match'] === '*' && existing && !quirks.ignoresIfNoneMatch) return reply(412);
  if (ifMatch !== undefined && !existing && !quirks.ignoresIfMatchOnAbsent) return reply(412);
  if (ifMatch !== undefined && existing && !matches(ifMatch, existing.etag)) return reply(412);
  const type = request.headers['content-type'] ?? 'text/calendar';
  if (!type.startsWith('text/calendar')) return refuse(403, 'C:supported-calendar-data');
  if (Buffer.byteLength(request.body) > quirks.maxResourceBytes) return refuse(403, 'C:max-resource-size');
  const text = readCalendarText(request.body);
  const problem = problemWith(world, text);
  if (problem) return badData(world, request.path, problem);
  const uid = text.uids[0] ?? `empty-${name}`;
  if (quirks.uidConflict === 'account') {
    for (const one of user.calendars.values()) {
      const holder = one.nameOfUid.get(uid);
      if (holder === undefined || (one === calendar && holder === name)) continue;
      const href = `<D:href>${escapeXml(objectHref(world, user, one, holder))}</D:href>`;
      return refuse(403, 'C:unique-scheduling-object-resource', href);
    }
  }
  const clash = calendar.nameOfUid.get(uid);
  if (clash !== undefined && clash !== name && quirks.uidConflict !== 'accepted') {
    const holder = `<D:href>${escapeXml(objectHref(world, user, calendar, clash))}</D:href>`;
    return quirks.uidConflict === 409
      ? refuse(409, 'C:no-uid-conflict', holder)
      : embedded(request.path, 'C:no-uid-conflict', holder);
  }
  if (existing && existing.uid !== uid && quirks.newUidAtSameHref !== 'accepted') {
    return refuse(quirks.newUidAtSameHref, 'C:no-uid-conflict');
  }
  if (!existing && calendar.maxObjects !== null && calendar.objects.size >= calendar.maxObjects) {
    return refuse(507, 'D:quota-not-exceeded'); // RFC 4331 section 6
  }
  const object = putObject(world, calendar, name, uid, request.body, nowMs);
  return reply(existing ? quirks.updateStatus : 201, quirks.putTellsEtag ? { etag: object.etag } : {});
}

/** Source: RFC 4918 section 9.6. */
export function answerDelete(world: World, request: Request, resource: Resource, nowMs: number): Reply {
  if (resource.kind === 'missing') return reply(404);
  if (resource.kind === 'calendar') {
    if (resource.calendar.readOnly) return refuse(403, NO_PRIVILEGE);
    resource.user.calendars.delete(resource.calendar.name);
    return reply(204);
  }
  if (resource.kind !== 'object') return reply(403);
  if (resource.calendar.readOnly) return refuse(403, NO_PRIVILEGE);
  const ifMatch = request.headers['if-match'];
  if (ifMatch !== undefined && !matches(ifMatch, resource.object.etag) && !world.quirks.ignoresIfMatchOnDelete) {
    return reply(412);
  }
  removeObject(resource.calendar, resource.object.name, nowMs);
  if (world.quirks.deleteAnswer === 204) return reply(204);
  const body = `<D:response><D:href>${escapeXml(request.path)}</D:href><D:status>HTTP/1.1 200 OK</D:status></D:response>`;
  return xmlReply(200, `${MULTISTATUS}${body}</D:multistatus>`);
}

/** Source: RFC 4791 section 5.3.1. */
export function answerMkcalendar(world: World, request: Request, resource: Resource): Reply {
  if (resource.kind !== 'missing') return refuse(403, 'D:resource-must-be-null');
  const parts = request.path.split('/').filter((part) => part !== '');
  if (!resource.user || parts.length !== 3 || parts[0] !== 'calendars')
    return refuse(403, 'C:calendar-collection-location-ok');
  const body = request.body === '' ? null : readBody(request.body);
  if (request.body !== '' && !body) return reply(400);
  const calendar = addCalendar(world, resource.user, resource.name);
  if (body) setProperties(calendar, body.values);
  return reply(201, { location: calendarHref(resource.user, calendar) });
}

/** Display name and colour can be set; other properties are refused one by one. Source: RFC 4918 section 9.2. */
export function answerProppatch(request: Request, resource: Resource): Reply {
  if (resource.kind !== 'calendar') return reply(resource.kind === 'missing' ? 404 : 403);
  if (resource.calendar.readOnly) return refuse(403, NO_PRIVILEGE);
  const body = readBody(request.body);
  if (!body) return reply(400);
  const unknown = [...body.values.keys()].filter((name) => !SETTABLE.includes(name));
  if (unknown.length === 0) setProperties(resource.calendar, body.values);
  const status = unknown.length === 0 ? '200 OK' : '403 Forbidden';
  const names = [...body.values.keys()].map((name) => {
    const split = name.lastIndexOf('}');
    return `<X:${name.slice(split + 1)} xmlns:X="${escapeAttribute(name.slice(1, split))}"/>`;
  });
  return xmlReply(
    207,
    `${MULTISTATUS}<D:response><D:href>${escapeXml(request.path)}</D:href><D:propstat><D:prop>${names.join('')}</D:prop>` +
      `<D:status>HTTP/1.1 ${status}</D:status></D:propstat></D:response></D:multistatus>`,
  );
}

const SETTABLE = [`{${DAV}}displayname`, `{${APPLE}}calendar-color`];

function setProperties(calendar: Calendar, values: Map<string, string>): void {
  calendar.displayName = values.get(SETTABLE[0]!) ?? calendar.displayName;
  calendar.color = values.get(SETTABLE[1]!) ?? calendar.color;
}

function matches(header: string, etag: string): boolean {
  return header === '*' || header.split(',').some((tag) => tag.trim() === etag);
}

type Problem = 'no-calendar' | 'invalid' | 'not-one-object' | 'method' | 'component';

function problemWith({ quirks }: World, text: CalendarText): Problem | null {
  if (text.problem !== null) return 'no-calendar';
  if (text.hasMethod) return 'method';
  if (text.components.length === 0) return quirks.acceptsEmptyCalendar ? null : 'invalid';
  if (text.components.some((name) => name !== 'VEVENT')) return 'component';
  if (text.uids.length !== text.components.length) return 'invalid';
  if (new Set(text.uids).size > 1 && !quirks.acceptsTwoUids) return 'not-one-object';
  if (text.missingStart && !quirks.acceptsMissingStart) return 'invalid';
  return null;
}

const CONDITION: Record<Problem, string> = {
  'no-calendar': 'C:valid-calendar-data',
  invalid: 'C:valid-calendar-data',
  'not-one-object': 'C:valid-calendar-object-resource',
  method: 'C:valid-calendar-object-resource',
  component: 'C:supported-calendar-component',
};

function badData({ quirks }: World, path: string, problem: Problem): Reply {
  const condition = CONDITION[problem];
  return quirks.badCalendarData === 207 ? embedded(path, condition, '') : refuse(quirks.badCalendarData, condition);
}

/** A refusal inside a 207, as Xandikos gives it: a client that looks at the status alone takes it for success. */
function embedded(path: string, condition: string, detail: string): Reply {
  return xmlReply(
    207,
    `${MULTISTATUS}<D:response><D:href>${escapeXml(path)}</D:href><D:status>HTTP/1.1 412 Precondition Failed</D:status>` +
      `<D:error><${condition}>${detail}</${condition}></D:error></D:response></D:multistatus>`,
  );
}
