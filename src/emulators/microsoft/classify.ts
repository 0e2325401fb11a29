import type { Request } from '#emulators/kit/exchange.ts';
import type { Asked } from '#emulators/kit/faults.ts';
import { calendarId, readEventId } from './item-ids.ts';
import { findGrant } from './oauth.ts';
import type { Mailbox, World } from './world.ts';

/** Ways to the calendar API, below `/v1.0` and without the calendar they may go through. */
const routes: [method: string, pattern: RegExp, operation: string][] = [
  ['POST', /^\/\$batch$/, 'batch'],
  ['POST', /^\/subscriptions$/, 'create-subscription'],
  ['GET', /^\/subscriptions/, 'list-subscriptions'],
  ['PATCH', /^\/subscriptions\//, 'renew-subscription'],
  ['POST', /^\/subscriptions\/[^/]+\/reauthorize$/, 'reauthorize-subscription'],
  ['DELETE', /^\/subscriptions\//, 'delete-subscription'],
  ['GET', /^\/me$/, 'me'],
  ['GET', /\/calendarView\/delta(\(\))?$/, 'delta'],
  ['GET', /\/calendarView$/, 'calendar-view'],
  ['GET', /\/events\/[^/]+\/instances$/, 'list-instances'],
  ['POST', /\/events\/[^/]+\/(accept|tentativelyAccept|decline)$/, 'respond'],
  ['GET', /\/events$/, 'list-events'],
  ['POST', /\/events$/, 'create-event'],
  ['GET', /\/events\/[^/]+$/, 'get-event'],
  ['PATCH', /\/events\/[^/]+$/, 'update-event'],
  ['DELETE', /\/events\/[^/]+$/, 'delete-event'],
  ['POST', /\/getSchedule$/, 'get-schedule'],
  ['GET', /\/(calendars|calendarGroups)$/, 'list-calendars'],
  ['GET', /\/(calendars\/[^/]+|calendar)$/, 'get-calendar'],
];

/** The name of what is asked for; null for the pages that people look at. */
export function classify(world: World, request: Request, nowMs: number): Asked | null {
  const { method, path } = request;
  if (!path.startsWith('/v1.0/')) {
    const operation = endpointOf(path);
    return operation === null ? null : { operation, account: null, calendar: null, resource: null };
  }
  const below = path.slice('/v1.0'.length);
  const operation = routes.find(([verb, pattern]) => verb === method && pattern.test(below))?.[2] ?? 'other';
  const grant = findGrant(world, request.headers.authorization, nowMs);
  const mailbox = grant && world.mailboxes.get(grant.mailbox);
  if (!mailbox) return { operation, account: null, calendar: null, resource: null };
  const resource = decode(/\/(?:events|subscriptions)\/([^/]+)/.exec(below)?.[1]);
  return { operation, account: mailbox.address, calendar: calendarOf(mailbox, below, resource), resource };
}

function endpointOf(path: string): string | null {
  if (path.endsWith('/oauth2/v2.0/token')) return 'token';
  if (path.endsWith('/.well-known/openid-configuration')) return 'openid-configuration';
  if (path.endsWith('/discovery/v2.0/keys')) return 'keys';
  return path === '/oidc/userinfo' ? 'userinfo' : null;
}

/** Faults and the ledger know calendars by the keys they were seeded with. */
function calendarOf(mailbox: Mailbox, below: string, resource: string | null): string | null {
  const id = decode(/\/calendars\/([^/]+)/.exec(below)?.[1]);
  const ref = resource === null ? null : readEventId(mailbox, resource);
  for (const calendar of mailbox.calendars.values()) {
    if (id === null && ref && calendar.events.has(ref.key)) return calendar.key;
    if (id !== null && calendarId(mailbox, calendar) === id) return calendar.key;
    if (id === null && !ref && calendar.isDefault && /^\/me\/(calendar|calendarView|events)\b/.test(below))
      return calendar.key;
  }
  return null;
}

function decode(text: string | undefined): string | null {
  if (text === undefined) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
