import type { Answer } from '#emulators/kit/emulator.ts';
import { jsonReply, type Reply, reply } from '#emulators/kit/exchange.ts';
import { isLoopback } from '#emulators/kit/send-to-loopback.ts';
import { messageOf } from './announce.ts';
import { type ApiCall, openCalendar, readJson } from './call.ts';
import { badRequest, GoogleError, notFound } from './errors.ts';
import { type Channel, nextSecret } from './world.ts';

/** Source: Google Calendar API, Events: watch; "Push notifications". */
export function watchEvents(call: ApiCall): Answer {
  const { calendar } = openCalendar(call, call.path[0]!);
  if (!calendar.canPush) {
    throw badRequest('pushNotSupportedForRequestedResource', 'Push notifications are not supported by this resource.', {
      domain: 'push',
    });
  }
  return open(call, calendar.id, `/calendar/v3/calendars/${encodeURIComponent(calendar.id)}/events?alt=json`);
}

/** Source: CalendarList: watch. */
export function watchCalendarList(call: ApiCall): Answer {
  return open(call, null, '/calendar/v3/users/me/calendarList?alt=json');
}

function open(call: ApiCall, calendarId: string | null, resource: string): Answer {
  const { world, user, token, moment } = call;
  const { id, address, ...body } = readJson(call.request);
  if (typeof id !== 'string' || !/^[A-Za-z0-9\-_+/=]{1,64}$/.test(id)) {
    throw badRequest('channelIdInvalid', 'Channel id is invalid.', { domain: 'push' });
  }
  if (world.channels.has(id)) throw badRequest('channelIdNotUnique', `Channel id ${id} not unique`);
  if (body.type !== 'web_hook' && body.type !== 'webhook') throw badRequest('invalid', 'Unknown channel type.');
  if (typeof address !== 'string' || !isAllowed(address)) {
    throw badRequest('push.webhookUrlNotHttps', `WebHook callback must be HTTPS: ${String(address)}`);
  }
  if (typeof body.token === 'string' && body.token.length > 256) throw badRequest('invalid', 'Channel token too long.');
  const channel: Channel = {
    id,
    resourceId: nextSecret(world, `resource of ${calendarId ?? user.email}`).slice(-27),
    resourceUri: `https://www.googleapis.com${resource}`,
    address,
    token: typeof body.token === 'string' ? body.token : null,
    expiresAtMs: expiryOf(body, world.knobs.channelSeconds, moment.nowMs),
    user: user.email,
    clientId: token.grant.clientId,
    calendarId,
    messages: 1,
    stopped: false,
  };
  world.channels.set(id, channel);
  const answer = () => jsonReply(200, renderChannel(channel));
  const sync = messageOf(channel, 'sync');
  // "The sync message may arrive before the watch answer."
  if (world.knobs.syncBeforeAnswer || moment.quirk === 'sync-first') return { call: sync, next: answer };
  moment.deliveries.enqueue(channel.id, sync);
  return answer();
}

/** https, or a plain loopback address in the demo. */
function isAllowed(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(address)));
}

/** The more restrictive of what was asked for and the limit. */
function expiryOf(body: Record<string, unknown>, longestSeconds: number, nowMs: number): number {
  const ttl = (body.params as { ttl?: unknown } | undefined)?.ttl;
  const wanted = [longestSeconds * 1_000];
  if (ttl !== undefined) wanted.push(Number(ttl) * 1_000);
  if (body.expiration !== undefined) wanted.push(Number(body.expiration) - nowMs);
  const ms = Math.min(...wanted);
  if (!(ms > 0)) throw badRequest('invalid', 'Invalid channel expiration.');
  return nowMs + ms;
}

function renderChannel({ id, resourceId, resourceUri, token, expiresAtMs }: Channel) {
  return {
    kind: 'api#channel',
    id,
    resourceId,
    resourceUri,
    ...(token !== null && { token }),
    expiration: String(expiresAtMs),
  };
}

/** By the same user and client only; an unknown or stopped one is 404. Source: Channels: stop. */
export function stopChannel(call: ApiCall): Reply {
  const { id, resourceId } = readJson(call.request);
  const channel = call.world.channels.get(String(id));
  if (!channel || channel.stopped || channel.resourceId !== resourceId) {
    throw new GoogleError(404, 'notFound', `Channel '${String(id)}' not found for project`);
  }
  if (channel.user !== call.user.email || channel.clientId !== call.token.grant.clientId) throw notFound();
  channel.stopped = true;
  return reply(204);
}
