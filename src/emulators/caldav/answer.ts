import { type Reply, type Request, reply } from '#emulators/kit/exchange.ts';
import { answerFreeBusy } from './answer-free-busy.ts';
import { answerPropfind } from './answer-propfind.ts';
import { answerReport } from './answer-report.ts';
import { answerDelete, answerMkcalendar, answerProppatch, answerPut } from './answer-write.ts';
import { type Resource, resolve } from './resolve.ts';
import type { User, World } from './world.ts';

const ALLOW = 'OPTIONS, GET, HEAD, PUT, DELETE, PROPFIND, PROPPATCH, REPORT, MKCALENDAR';

/** Returns the server's response to a request, and applies the request to the world. */
export function answer(world: World, request: Request, nowMs: number): Reply {
  const resource = resolve(world, request.path);
  if (resource.kind === 'well-known') {
    // RFC 6764 section 5: a redirect, whatever the method, before any login.
    return world.quirks.wellKnown === 404 ? reply(404) : reply(world.quirks.wellKnown, { location: '/' });
  }
  const user = authenticate(world, request.headers.authorization);
  if (!user) return reply(401, { 'www-authenticate': 'Basic realm="calendars", charset="UTF-8"' });
  // another user's home is neither readable nor confirmed to exist
  if ('user' in resource && resource.user !== user) return reply(resource.user ? 403 : 404);
  switch (request.method) {
    case 'OPTIONS':
      return reply(200, {
        dav: `1, 3, access-control, calendar-access${world.quirks.autoSchedule ? ', calendar-auto-schedule' : ''}`,
        allow: ALLOW,
      });
    case 'PROPFIND':
      return answerPropfind(world, request, resource, user);
    case 'REPORT':
      return answerReport(world, request, resource, user);
    case 'POST':
      return answerFreeBusy(world, request, resource);
    case 'GET':
    case 'HEAD':
      return read(request, resource);
    case 'PUT':
      return answerPut(world, request, resource, nowMs);
    case 'DELETE':
      return answerDelete(world, request, resource, nowMs);
    case 'MKCALENDAR':
      return answerMkcalendar(world, request, resource);
    case 'PROPPATCH':
      return answerProppatch(request, resource);
    default:
      return reply(405, { allow: ALLOW });
  }
}

function read(request: Request, resource: Resource): Reply {
  if (resource.kind === 'missing') return reply(404);
  if (resource.kind !== 'object') return reply(405, { allow: ALLOW });
  const { etag, body } = resource.object;
  if (request.headers['if-none-match'] === etag) return reply(304, { etag });
  const headers = { etag, 'content-type': 'text/calendar; charset=utf-8' };
  return reply(200, headers, request.method === 'HEAD' ? '' : body);
}

function authenticate(world: World, header: string | undefined): User | null {
  if (!world.quirks.authentication) return world.users.values().next().value ?? null;
  if (!header?.startsWith('Basic ')) return null;
  const [name, password] = splitLogin(header);
  const user = world.users.get(name);
  return user && user.password === password ? user : null;
}

function splitLogin(header: string): [string, string] {
  const login = Buffer.from(header.slice(6), 'base64').toString('utf8');
  const colon = login.indexOf(':');
  return colon === -1 ? [login, ''] : [login.slice(0, colon), login.slice(colon + 1)];
}
