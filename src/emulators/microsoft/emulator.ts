import { answerPages } from '#emulators/kit/calendar-pages.ts';
import type { Answer, Machine, Moment } from '#emulators/kit/emulator.ts';
import { htmlReply, jsonReply, type Request, reply } from '#emulators/kit/exchange.ts';
import type { SigningKey } from '#emulators/kit/sign-id-token.ts';
import type { ActMoment } from './act.ts';
import { answerAuthorize } from './authorize.ts';
import { faultNamed, operationGroups } from './catalogue.ts';
import { classify } from './classify.ts';
import { answerGraph } from './graph.ts';
import { errorReply, GraphError } from './graph-errors.ts';
import { checkLimits, throttled } from './limits.ts';
import { announceChanges, recordAnswer, retryNotificationAfterMs } from './notify.ts';
import { answerDiscovery, answerToken, answerUserInfo, findGrant } from './oauth.ts';
import { microsoftPages } from './pages.ts';
import { createWorld, type Knobs, type World } from './world.ts';

/** Where the emulator is when a request does not say: in the process of its caller. */
export const inProcessOrigin = 'http://microsoft.emulated';

/** Microsoft Entra and the calendar part of Microsoft Graph v1.0 as a state machine. */
export function createMachine(key: SigningKey, now: () => number, knobs: Partial<Knobs> = {}): Machine<World> {
  return {
    provider: 'microsoft',
    createWorld() {
      const world = createWorld();
      Object.assign(world.knobs, knobs);
      return world;
    },
    classify: (world, request) => classify(world, request, now()),
    operationGroups,
    faultNamed,
    answer: (world, request, moment) => answer(world, request, moment, key),
    retryAfterMs({ status, tookMs }, attempt, { world, url, nowMs }) {
      recordAnswer(world, url, nowMs, status === null ? null : tookMs);
      return retryNotificationAfterMs(status, attempt);
    },
    laneOf: (world, request) => laneOf(world, request, now()),
  };
}

function laneOf(world: World, request: Request, nowMs: number): string | null {
  if (!request.path.startsWith('/v1.0/')) return null;
  const grant = findGrant(world, request.headers.authorization, nowMs);
  return grant && `${grant.clientId} ${grant.mailbox}`;
}

function answer(world: World, request: Request, moment: Moment, key: SigningKey): Answer {
  const { nowMs, deliveries, quirk } = moment;
  const { host } = request.headers;
  const origin = host === undefined ? inProcessOrigin : `http://${host}`;
  if (!request.path.startsWith('/v1.0/'))
    return answerIdentity(world, request, { nowMs, deliveries, quirk, key, origin });
  const lane = laneOf(world, request, nowMs);
  try {
    if (quirk === 'throttled-date') throw throttled('MailboxConcurrency', httpDate(nowMs + 5_000));
    if (lane !== null) checkLimits(world, lane, moment.ahead, nowMs);
  } catch (error) {
    if (error instanceof GraphError) return errorReply(error, nowMs, request.headers['client-request-id']);
    throw error;
  }
  const given = answerGraph(world, request, moment, origin);
  announceChanges(world, deliveries, nowMs);
  return given;
}

interface IdentityMoment extends ActMoment {
  quirk: string | null;
  key: SigningKey;
  origin: string;
}

function answerIdentity(world: World, request: Request, moment: IdentityMoment): Answer {
  const { path } = request;
  const { nowMs, quirk, origin, key } = moment;
  const tenant = path.split('/')[1] ?? 'common';
  if (path === '/oidc/userinfo') return answerUserInfo(world, request, nowMs);
  if (path.endsWith('/oauth2/v2.0/authorize')) return answerAuthorize(world, request, nowMs);
  if (path.endsWith('/.well-known/openid-configuration')) return answerDiscovery(origin, tenant);
  if (path.endsWith('/discovery/v2.0/keys')) return jsonReply(200, key.jwks());
  if (path.endsWith('/oauth2/v2.0/token')) {
    const revokes = quirk === 'lost-token-revoked' ? 'revoke-old' : quirk;
    const answered = answerToken(world, request, { ...moment, quirk: revokes });
    // The rotation happened; only the answer never came through.
    return quirk?.startsWith('lost-token') ? htmlReply(504, '<h1>Gateway Timeout</h1>') : answered;
  }
  return answerPages(microsoftPages(world, moment), request, nowMs) ?? reply(404);
}

/** Source: RFC 9110 section 5.6.7. */
function httpDate(ms: number): string {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC');
  const two = (n: number) => String(n).padStart(2, '0');
  const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  const time = `${two(at.hour)}:${two(at.minute)}:${two(at.second)}`;
  return `${days[at.dayOfWeek - 1]}, ${two(at.day)} ${months[at.month - 1]} ${at.year} ${time} GMT`;
}
