import type { Answer } from '#emulators/kit/emulator.ts';
import { type Call, type Heard, jsonReply, type Reply, reply } from '#emulators/kit/exchange.ts';
import { findCalendar, type GraphCall, needRead } from './graph-call.ts';
import { badRequest, errorReply, GraphError, guidOf } from './graph-errors.ts';
import { parseInstant, printStamp } from './graph-time.ts';
import { scheduleReauthorization } from './notify.ts';
import { nextKey, type Subscription, type World } from './world.ts';

/**
 * Change notifications: who is told of what, and for how long.
 * Source: "subscription resource type", change-notifications-delivery-webhooks, change-notifications-lifecycle-events.
 */

const minutes = 60_000;
const shortestMs = 45 * minutes;
const longestMs = 10_080 * minutes;

/** Asks both addresses to repeat a token before the subscription stands. */
export function createSubscription(call: GraphCall): Answer {
  needRead(call);
  const subscription = readSubscription(call);
  const { world } = call;
  const twin = listOwn(call).find(
    ({ resource, changeType }) => resource === subscription.resource && changeType === subscription.changeType,
  );
  if (twin || call.quirk === 'duplicate') {
    throw new GraphError(409, 'Conflict', `A subscription for the resource '${subscription.resource}' already exists.`);
  }
  if (listOwn(call).length >= 1_000) {
    throw new GraphError(403, 'ExtensionError', 'The limit of 1000 subscriptions of this mailbox is reached.');
  }
  const urls = [subscription.notificationUrl, subscription.lifecycleNotificationUrl].filter((url) => url !== null);
  const stand = (): Reply => {
    world.subscriptions.set(subscription.id, subscription);
    scheduleReauthorization(call.deliveries, subscription, call.nowMs);
    return jsonReply(201, presentSubscription(call, subscription));
  };
  return urls.reduceRight<() => Answer>((next, url) => () => validate(call, url, next), stand)();
}

function validate(call: GraphCall, url: string, next: () => Answer): Answer {
  const token = `Validation: Testing client application reachability for subscription Request-Id: ${guidOf(`${call.nowMs} ${url}`)} <&+%>`;
  const separator = url.includes('?') ? '&' : '?';
  const question: Call = {
    method: 'POST',
    url: `${url}${separator}validationToken=${encodeURIComponent(token).replaceAll('%20', '+')}`,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: '',
  };
  return {
    call: question,
    next(heard: Heard) {
      const plain = heard.contentType?.startsWith('text/plain') ?? false;
      if (heard.status === 200 && heard.body === token && plain) return next();
      const reason = heard.status === null ? 'did not answer within 10 seconds' : `answered ${heard.status}`;
      const message = `Subscription validation request failed. The endpoint ${reason}; it must reply 200 OK with the validation token as text/plain.`;
      return errorReply(new GraphError(400, 'ValidationError', message), call.nowMs, undefined);
    },
  };
}

function readSubscription(call: GraphCall): Subscription {
  const given = (call.body ?? {}) as Record<string, unknown>;
  const text = (name: string): string => {
    if (typeof given[name] === 'string' && given[name] !== '') return given[name];
    throw invalid(`The property '${name}' is required.`);
  };
  const address = (name: string): string => {
    if (URL.canParse(text(name))) return text(name);
    throw invalid(`The ${name} '${text(name)}' is not valid.`);
  };
  const known = [
    'changeType',
    'resource',
    'notificationUrl',
    'lifecycleNotificationUrl',
    'clientState',
    'expirationDateTime',
    'latestSupportedTlsVersion',
  ];
  const strange = Object.keys(given).find((name) => !known.includes(name));
  if (strange) throw invalid(`The property '${strange}' does not exist on type 'microsoft.graph.subscription'.`);
  const changeType = text('changeType');
  if (!changeType.split(',').every((one) => ['created', 'updated', 'deleted'].includes(one))) {
    throw invalid(`The changeType '${changeType}' is not supported.`);
  }
  const clientState = given.clientState === undefined || given.clientState === null ? null : text('clientState');
  if (clientState !== null && clientState.length > 128) throw invalid('clientState may have 128 characters.');
  const resource = text('resource');
  return {
    id: guidOf(nextKey(call.world, 'subscription')),
    mailbox: call.mailbox.address,
    clientId: call.clientId,
    resource,
    calendarKey: calendarOf(call, resource),
    changeType,
    notificationUrl: address('notificationUrl'),
    lifecycleNotificationUrl:
      (given.lifecycleNotificationUrl ?? null) === null ? null : address('lifecycleNotificationUrl'),
    clientState,
    expiresAtMs: readExpiry(call, given.expirationDateTime),
    immutableIds: call.preferences.immutableIds,
    reauthorizeAtMs: null,
  };
}

/** `me/calendars/{id}/events`, `me/events` and the same below `users/{id}`; empty for every calendar of the mailbox. */
function calendarOf(call: GraphCall, resource: string): string {
  const { userId, address } = call.mailbox;
  const path = resource.replace(/^\//, '').replace(/^me\//i, '');
  const own = path.replace(new RegExp(`^users/(?:${userId}|${address})/`, 'i'), '');
  if (own === 'events') return '';
  if (own === 'calendar/events') return [...call.mailbox.calendars.values()].find(({ isDefault }) => isDefault)!.key;
  const match = /^calendars\/([^/]+)\/events$/.exec(own);
  if (match) return findCalendar(call, decodeURIComponent(match[1]!)).key;
  throw invalid(`The resource '${resource}' is not supported.`);
}

function readExpiry({ nowMs }: GraphCall, given: unknown): number {
  const atMs = typeof given === 'string' ? parseInstant(given) : null;
  if (atMs === null) throw invalid("The property 'expirationDateTime' is required.");
  if (atMs <= nowMs) throw invalid('Subscription expiration must be in the future.');
  if (atMs > nowMs + longestMs) throw invalid('Subscription expiration can only be 10080 minutes in the future.');
  return Math.max(atMs, nowMs + shortestMs);
}

export function listSubscriptions(call: GraphCall): Reply {
  return jsonReply(200, {
    '@odata.context': `${call.graphBase}/$metadata#subscriptions`,
    value: listOwn(call).map((subscription) => presentSubscription(call, subscription)),
  });
}

export function getSubscription(call: GraphCall, id: string): Reply {
  return jsonReply(200, presentSubscription(call, findSubscription(call, id)));
}

/** PATCH renews, and reauthorises in the same breath. */
export function renewSubscription(call: GraphCall, id: string): Reply {
  const subscription = findSubscription(call, id);
  const given = (call.body ?? {}) as Record<string, unknown>;
  const other = Object.keys(given).find((name) => name !== 'expirationDateTime' && name !== 'notificationUrl');
  if (other) throw invalid(`The property '${other}' of a subscription cannot be changed.`);
  const expiresAtMs = readExpiry(call, given.expirationDateTime);
  const renewed = { ...subscription, expiresAtMs, reauthorizeAtMs: null };
  call.world.subscriptions.set(id, renewed);
  scheduleReauthorization(call.deliveries, renewed, call.nowMs);
  return jsonReply(200, presentSubscription(call, renewed));
}

export function reauthorizeSubscription(call: GraphCall, id: string): Reply {
  const subscription = findSubscription(call, id);
  call.world.subscriptions.set(id, { ...subscription, reauthorizeAtMs: null });
  return reply(200);
}

export function deleteSubscription(call: GraphCall, id: string): Reply {
  findSubscription(call, id);
  call.world.subscriptions.delete(id);
  return reply(204);
}

function findSubscription(call: GraphCall, id: string): Subscription {
  const found = listOwn(call).find((subscription) => subscription.id === id);
  if (!found) throw new GraphError(404, 'ResourceNotFound', 'The object was not found.');
  return found;
}

/** One that has expired is gone. */
function listOwn({ world, mailbox, clientId, nowMs }: GraphCall): Subscription[] {
  dropExpired(world, nowMs);
  return [...world.subscriptions.values()].filter(
    (one) => one.mailbox === mailbox.address && one.clientId === clientId,
  );
}

export function dropExpired(world: World, nowMs: number): void {
  for (const { id, expiresAtMs } of world.subscriptions.values())
    if (expiresAtMs <= nowMs) world.subscriptions.delete(id);
}

function presentSubscription(call: GraphCall, subscription: Subscription): Record<string, unknown> {
  const { id, resource, changeType, notificationUrl, lifecycleNotificationUrl, clientState, expiresAtMs } =
    subscription;
  return {
    '@odata.context': `${call.graphBase}/$metadata#subscriptions/$entity`,
    id,
    resource,
    applicationId: subscription.clientId,
    changeType,
    clientState,
    notificationUrl,
    lifecycleNotificationUrl,
    expirationDateTime: printStamp(expiresAtMs),
    creatorId: call.mailbox.userId,
    latestSupportedTlsVersion: 'v1_2',
  };
}

const invalid = (message: string) => badRequest('ValidationError', message);
