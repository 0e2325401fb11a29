import type { Moment } from '#emulators/kit/emulator.ts';
import { jsonReply, type Reply, type Request } from '#emulators/kit/exchange.ts';
import type { Asked } from '#emulators/kit/faults.ts';
import { waitForRoom } from '#emulators/kit/sliding-window.ts';
import { expand, type Route } from './call.ts';
import { catalogueRoutes } from './catalogue.ts';
import { checkoutRoutes } from './checkout.ts';
import { customerRoutes } from './customers.ts';
import {
  errorReply,
  invalidKey,
  noKey,
  notPermitted,
  otherParameters,
  rateLimited,
  StripeError,
  unknownUrl,
} from './errors.ts';
import { hookRoutes } from './hooks.ts';
import { answerPage } from './pages.ts';
import { portalRoutes } from './portal.ts';
import { readForm } from './read-form.ts';
import { settle } from './settle.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { apiVersion, type World } from './world.ts';

export const routes: readonly Route[] = [
  ...customerRoutes,
  ...catalogueRoutes,
  ...checkoutRoutes,
  ...subscriptionRoutes,
  ...portalRoutes,
  ...hookRoutes,
];

const isApi = (path: string) => path.startsWith('/v1/');
const keptMs = 86_400_000;

/** Null for the pages that people look at. */
export function classify(_world: World, { method, path }: Request): Asked | null {
  if (!isApi(path)) return null;
  const route = routeOf(method, path);
  return { operation: route?.operation ?? 'unknown', account: null, calendar: null, resource: null };
}

const routeOf = (method: string, path: string) => routes.find((one) => one.method === method && one.path.test(path));

export function answer(world: World, request: Request, moment: Moment): Reply {
  world.origin = `http://${request.headers.host ?? 'localhost'}`;
  settle(world, moment.deliveries, moment.nowMs);
  const reply = isApi(request.path) ? answerCall(world, request, moment) : answerPage(world, request, moment);
  settle(world, moment.deliveries, moment.nowMs);
  return reply;
}

function answerCall(world: World, request: Request, moment: Moment): Reply {
  world.made += 1;
  const id = `req_${world.made.toString(36).padStart(14, '0')}`;
  const headers = { 'request-id': id, 'stripe-version': request.headers['stripe-version'] ?? apiVersion };
  const reply = answerKept(world, request, moment, id);
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** The first answer under a key is the answer for a day, errors of the server included. Source: "Idempotent requests". */
function answerKept(world: World, request: Request, moment: Moment, id: string): Reply {
  const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined;
  const asked = `${request.path} ${request.body}`;
  const kept = key === undefined ? undefined : world.kept.get(key);
  if (key !== undefined && kept !== undefined && moment.nowMs - kept.atMs < keptMs) {
    if (kept.request !== asked) return errorReply(otherParameters(key));
    return jsonReply(kept.status, JSON.parse(kept.body), { 'idempotent-replayed': 'true' });
  }
  try {
    const value = carryOut(world, request, moment, { id, idempotency_key: key ?? null });
    const reply = jsonReply(200, value);
    if (key !== undefined) world.kept.set(key, { request: asked, atMs: moment.nowMs, status: 200, body: reply.body });
    return reply;
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    const reply = errorReply(error);
    // errors before any effect are not stored under the key, so that the request can be repeated
    if (key !== undefined && error.status === 402)
      world.kept.set(key, { request: asked, atMs: moment.nowMs, status: 402, body: reply.body });
    return reply;
  }
}

function carryOut(
  world: World,
  request: Request,
  { nowMs, deliveries }: Moment,
  cause: { id: string; idempotency_key: string | null },
): object {
  const key = keyOf(request);
  if (key === null) throw noKey();
  const kind = world.keys.get(key);
  if (kind === undefined) throw invalidKey(key);
  if (kind === 'restricted' && request.method !== 'GET') throw notPermitted();
  const recent = world.recent.get(key) ?? [];
  world.recent.set(key, recent);
  if (waitForRoom(recent, nowMs, 1_000, world.knobs.requestsPerSecond) !== null) throw rateLimited();
  const route = routeOf(request.method, request.path);
  if (route === undefined) throw unknownUrl(request.method, request.path);
  const form = readForm(request.method === 'POST' ? request.body : request.query);
  const answered = route.answer({
    world,
    now: Math.floor(nowMs / 1000),
    deliveries,
    request: cause,
    path: route.path.exec(request.path)!.slice(1),
    form,
  });
  return expand(world, { ...answered, livemode: false }, form);
}

/** Bearer, or Basic with the key as the name. Source: "Authentication". */
function keyOf({ headers }: Request): string | null {
  const [scheme = '', value = ''] = (headers.authorization ?? '').split(' ');
  if (scheme.toLowerCase() === 'bearer') return value || null;
  if (scheme.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString().split(':')[0] || null;
  return null;
}
