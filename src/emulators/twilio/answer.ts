import type { Answer, Moment } from '#emulators/kit/emulator.ts';
import { jsonReply, type Request } from '#emulators/kit/exchange.ts';
import type { Asked } from '#emulators/kit/faults.ts';
import { waitForRoom } from '#emulators/kit/sliding-window.ts';
import { errorReply, notFound, suspended, TwilioError, tooMany, unauthorized } from './errors.ts';
import { answerPage } from './pages.ts';
import { sendMessage } from './send-message.ts';
import { type Account, type Message, statusOf, type World } from './world.ts';

const route =
  /^\/2010-04-01\/Accounts\/(AC[0-9a-f]{32})(?:\.json|\/(Messages|IncomingPhoneNumbers)(?:\/([A-Z]{2}[0-9a-f]{32}))?\.json)$/;

/** Null for the page that people look at. */
export function classify(_world: World, { method, path }: Request): Asked | null {
  if (!path.startsWith('/2010-04-01/')) return null;
  const [, sid = null, list, resource = null] = route.exec(path) ?? [];
  const verb = method === 'POST' ? 'create' : resource === null && list !== undefined ? 'list' : 'fetch';
  const noun = list === undefined ? 'account' : list === 'Messages' ? 'messages' : 'numbers';
  return { operation: `${noun}.${verb}`, account: sid, calendar: null, resource };
}

export function answer(world: World, request: Request, moment: Moment): Answer {
  if (!request.path.startsWith('/2010-04-01/')) return answerPage(world, request, moment);
  try {
    return answerApi(world, request, moment);
  } catch (error) {
    if (error instanceof TwilioError) return errorReply(error);
    throw error;
  }
}

function answerApi(world: World, request: Request, moment: Moment): Answer {
  const account = authenticate(world, request);
  const [, sid, list, resource] = route.exec(request.path) ?? [];
  // an account sees nothing of another one
  if (sid !== account.sid) throw notFound(request.path);
  const recent = world.recent.get(sid) ?? [];
  world.recent.set(sid, recent);
  if (waitForRoom(recent, moment.nowMs, 1_000, world.knobs.requestsPerSecond) !== null) throw tooMany();
  if (list === undefined) {
    const { name, status } = account;
    return jsonReply(200, { sid, friendly_name: name, status, type: 'Full', uri: request.path });
  }
  if (account.status !== 'active') throw suspended();
  const query = new URLSearchParams(request.query);
  if (list === 'IncomingPhoneNumbers') {
    const wanted = query.get('PhoneNumber');
    const numbers = [...account.numbers].filter(([number]) => wanted === null || number === wanted);
    return jsonReply(200, {
      incoming_phone_numbers: numbers.map(([phone_number, { smsUrl }]) => ({ phone_number, sms_url: smsUrl ?? '' })),
    });
  }
  if (request.method === 'POST') {
    const message = sendMessage(world, account, new URLSearchParams(request.body), moment);
    return jsonReply(201, resourceOf(message, moment.nowMs));
  }
  if (resource !== undefined) {
    const message = world.messages.find((one) => one.sid === resource && one.accountSid === sid);
    if (message === undefined) throw notFound(request.path);
    return jsonReply(200, resourceOf(message, moment.nowMs));
  }
  return jsonReply(200, listMessages(world, account, query, moment.nowMs));
}

/** Newest first. Source: "Messages resource", read multiple Message resources. */
function listMessages(world: World, { sid }: Account, query: URLSearchParams, nowMs: number) {
  const since = query.get('DateSent>');
  const sinceMs =
    since === null ? 0 : Temporal.Instant.from(since.includes('T') ? since : `${since}T00:00Z`).epochMilliseconds;
  const size = Math.min(1_000, Number(query.get('PageSize') ?? 50));
  const messages = world.messages
    .filter((one) => one.accountSid === sid)
    .filter((one) => (query.get('To') ?? one.to) === one.to && (query.get('From') ?? one.from) === one.from)
    .filter((one) => one.createdMs >= sinceMs)
    .toReversed();
  return {
    messages: messages.slice(0, size).map((one) => resourceOf(one, nowMs)),
    page: 0,
    page_size: size,
    next_page_uri: messages.length > size ? `/2010-04-01/Accounts/${sid}/Messages.json?Page=1` : null,
  };
}

function resourceOf(message: Message, nowMs: number) {
  const { sid, accountSid, direction, from, to, body, serviceSid, createdMs } = message;
  const status = statusOf(message, nowMs);
  const errorCode = status === 'undelivered' ? message.errorCode : null;
  return {
    sid,
    account_sid: accountSid,
    api_version: '2010-04-01',
    body,
    date_created: rfc2822(createdMs),
    date_sent: status === 'queued' || status === 'accepted' ? null : rfc2822(createdMs + 1_000),
    date_updated: rfc2822(createdMs),
    direction,
    error_code: errorCode,
    error_message: null,
    from,
    messaging_service_sid: serviceSid,
    num_media: '0',
    num_segments: serviceSid === null ? String(Math.max(1, Math.ceil(body.length / 153))) : '0',
    price: null,
    price_unit: 'USD',
    status,
    to,
    uri: `/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`,
  };
}

/** `Mon, 04 Jan 2027 12:00:00 +0000`. */
function rfc2822(ms: number): string {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC');
  const words = at.toLocaleString('en-GB', { weekday: 'short', day: '2-digit', month: 'short', year: 'numeric' });
  return `${words.replace(/^(\w+),? /, '$1, ')} ${at.toPlainTime().toString({ smallestUnit: 'second' })} +0000`;
}

/** Basic, with the sid and the auth token. Source: "Twilio API requests", authentication. */
function authenticate(world: World, { headers }: Request): Account {
  const [scheme, encoded = ''] = (headers.authorization ?? '').split(' ');
  const [sid = '', token] = Buffer.from(encoded, 'base64').toString().split(':');
  const account = world.accounts.get(sid);
  if (scheme?.toLowerCase() !== 'basic' || account === undefined || account.authToken !== token) throw unauthorized();
  return account;
}
