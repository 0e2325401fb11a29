import type { Answer, Moment } from '#emulators/kit/emulator.ts';
import { jsonReply, type Reply, type Request } from '#emulators/kit/exchange.ts';
import { answerBatch } from './batch.ts';
import { findGroup, getCalendar, listCalendars, listGroups } from './calendars.ts';
import { deltaOf } from './delta.ts';
import { defaultCalendar, findCalendar, findItem, type GraphCall } from './graph-call.ts';
import { badRequest, errorReply, GraphError } from './graph-errors.ts';
import { findGrant } from './oauth.ts';
import { getEvent, listEvents, listInstances, viewCalendar } from './read-events.ts';
import { readPreferences, readQuery } from './read-query.ts';
import { getSchedule } from './schedule.ts';
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  reauthorizeSubscription,
  renewSubscription,
} from './subscriptions.ts';
import type { Calendar, World } from './world.ts';
import { createEvent, deleteEvent, respondTo, updateEvent } from './write-events.ts';

const root = '/v1.0';

/** Everything below `/v1.0`. */
export function answerGraph(world: World, request: Request, moment: Moment, origin: string): Answer {
  const clientRequestId = request.headers['client-request-id'];
  const refuse = (error: unknown): Reply => {
    if (error instanceof GraphError) return errorReply(error, moment.nowMs, clientRequestId);
    throw error;
  };
  try {
    const call = readCall(world, request, moment, `${origin}${root}`);
    const answer = dispatch(call);
    if ('call' in answer) return answer;
    const { applied } = call.preferences;
    if (applied.length > 0) answer.headers['preference-applied'] = applied.join(', ');
    return answer;
  } catch (error) {
    return refuse(error);
  }
}

function readCall(world: World, request: Request, { nowMs, deliveries, quirk }: Moment, graphBase: string): GraphCall {
  const grant = findGrant(world, request.headers.authorization, nowMs);
  const mailbox = grant && world.mailboxes.get(grant.mailbox);
  if (!grant || !mailbox || quirk === 'token-refused') {
    const challenge = {
      'www-authenticate':
        'Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize", error="invalid_token"',
    };
    const message = 'Lifetime validation failed, the token is expired.';
    throw new GraphError(401, 'InvalidAuthenticationToken', message, { headers: challenge });
  }
  const path = request.path.slice(root.length);
  const segments = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  // `users/{id}` is the same mailbox by its name.
  if (segments[0] === 'users' && (segments[1] === mailbox.userId || segments[1] === mailbox.address))
    segments.splice(0, 2, 'me');
  const preferences = readPreferences(request.headers.prefer);
  if (quirk === 'regular-ids') preferences.immutableIds = false;
  return {
    world,
    mailbox,
    preferences,
    graphBase,
    clientId: grant.clientId,
    scopes: new Set(grant.scopes.map((scope) => scope.toLowerCase())),
    nowMs,
    method: request.method,
    segments,
    url: request.query === '' ? path : `${path}?${request.query}`,
    options: readQuery(request.query),
    ifMatch: request.headers['if-match'] ?? null,
    body: readBody(request),
    deliveries,
    quirk,
  };
}

function readBody({ body }: Request): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw badRequest('BadRequest', 'Unable to read JSON request payload.');
  }
}

export function dispatch(call: GraphCall): Answer {
  const [first, second] = call.segments;
  if (first === '$batch' && call.method === 'POST') return answerBatch(call, dispatch);
  if (first === 'subscriptions') return subscriptions(call);
  if (first !== 'me') throw notFound(call);
  if (call.segments.length === 1 && call.method === 'GET') return me(call);
  if (call.quirk === 'no-mailbox') {
    const message = 'REST API is not yet supported for this mailbox.';
    throw new GraphError(404, 'MailboxNotEnabledForRESTAPI', message);
  }
  const rest = call.segments.slice(2);
  switch (second) {
    case 'calendars':
      return calendars(call, rest, null);
    case 'calendar':
      return inCalendar(call, defaultCalendar(call), rest);
    case 'calendarGroups':
      return groups(call, rest);
    case 'events':
      return events(call, null, rest);
    case 'calendarView':
      return view(call, defaultCalendar(call), rest);
    default:
      throw notFound(call);
  }
}

function groups(call: GraphCall, [id, ...rest]: string[]): Answer {
  if (id === undefined) return only(call, 'GET', () => listGroups(call));
  const group = findGroup(call, id);
  if (rest[0] !== 'calendars') throw notFound(call);
  return calendars(call, rest.slice(1), group);
}

function calendars(call: GraphCall, [id, ...rest]: string[], group: string | null): Answer {
  if (id === undefined) return only(call, 'GET', () => listCalendars(call, group));
  return inCalendar(call, findCalendar(call, id), rest);
}

function inCalendar(call: GraphCall, calendar: Calendar, [part, ...rest]: string[]): Answer {
  switch (part) {
    case undefined:
      return only(call, 'GET', () => getCalendar(call, calendar));
    case 'events':
      return events(call, calendar, rest);
    case 'calendarView':
      return view(call, calendar, rest);
    case 'getSchedule':
      return only(call, 'POST', () => getSchedule(call));
    default:
      throw notFound(call);
  }
}

function view(call: GraphCall, calendar: Calendar, [action, ...rest]: string[]): Answer {
  if (action === undefined) return only(call, 'GET', () => viewCalendar(call, calendar));
  if (rest.length > 0 || (action !== 'delta' && action !== 'delta()')) throw notFound(call);
  return only(call, 'GET', () => deltaOf(call, calendar));
}

function events(call: GraphCall, calendar: Calendar | null, [id, action, ...rest]: string[]): Answer {
  const { method } = call;
  if (id === undefined) {
    if (method === 'GET') return listEvents(call, calendar ?? defaultCalendar(call));
    return only(call, 'POST', () => createEvent(call, calendar ?? defaultCalendar(call)));
  }
  if (id === 'delta' || id === 'delta()') {
    throw badRequest('ErrorInvalidRequest', "Change tracking is not supported against 'microsoft.graph.event'.");
  }
  if (rest.length > 0) throw notFound(call);
  const item = findItem(call, id, calendar);
  switch (action) {
    case undefined:
      if (method === 'GET') return getEvent(call, item);
      if (method === 'PATCH') return updateEvent(call, item);
      return only(call, 'DELETE', () => deleteEvent(call, item));
    case 'instances':
      return only(call, 'GET', () => listInstances(call, item));
    case 'accept':
    case 'tentativelyAccept':
    case 'decline':
      return only(call, 'POST', () => respondTo(call, item, action));
    default:
      throw notFound(call);
  }
}

function subscriptions(call: GraphCall): Answer {
  const [, id, action] = call.segments;
  const { method } = call;
  if (id === undefined)
    return method === 'GET' ? listSubscriptions(call) : only(call, 'POST', () => createSubscription(call));
  if (action === 'reauthorize') return only(call, 'POST', () => reauthorizeSubscription(call, id));
  if (method === 'GET') return getSubscription(call, id);
  if (method === 'PATCH') return renewSubscription(call, id);
  return only(call, 'DELETE', () => deleteSubscription(call, id));
}

/** Source: "Get a user". */
function me(call: GraphCall): Reply {
  const { mailbox, graphBase } = call;
  return jsonReply(200, {
    '@odata.context': `${graphBase}/$metadata#users/$entity`,
    id: mailbox.userId,
    displayName: mailbox.name,
    givenName: mailbox.name.split(' ')[0],
    surname: mailbox.name.split(' ').slice(1).join(' '),
    mail: mailbox.personal ? null : mailbox.address,
    userPrincipalName: mailbox.address,
    preferredLanguage: null,
  });
}

function only(call: GraphCall, method: string, act: () => Answer): Answer {
  if (call.method === method) return act();
  throw new GraphError(405, 'Request_BadRequest', `Specified HTTP method is not allowed for the request target.`);
}

function notFound({ segments }: GraphCall): GraphError {
  return badRequest('BadRequest', `Resource not found for the segment '${segments.at(-1)}'.`);
}
