import type { Moment } from '#emulators/kit/emulator.ts';
import { jsonReply, type Reply, type Request } from '#emulators/kit/exchange.ts';
import { waitForRoom } from '#emulators/kit/sliding-window.ts';
import { rateLimited, SlackError } from './errors.ts';
import { type Channel, keepMessage, type Message, type Token, type World } from './world.ts';

type Arguments = Record<string, unknown>;
type Method = (world: World, token: Token, given: Arguments, moment: Moment) => Record<string, unknown> | Reply;

const scopeOf: Record<string, string> = {
  'chat.postMessage': 'chat:write',
  'conversations.history': 'channels:history',
};

const methods: Record<string, Method> = {
  /** Source: auth.test. */
  'auth.test': (world, { workspace, user, botId }) => ({
    url: 'https://example.slack.com/',
    team: world.workspaces.get(workspace)!.name,
    user: 'holdfast',
    team_id: workspace,
    user_id: user,
    bot_id: botId,
    is_enterprise_install: false,
  }),
  /** Source: chat.postMessage: errors, and `metadata`. */
  'chat.postMessage'(world, token, given, { nowMs }) {
    const channel = findChannel(world, token, given.channel);
    if (channel.archived) throw new SlackError('is_archived');
    if (!channel.joined && !token.scopes.includes('chat:write.public')) throw new SlackError('not_in_channel');
    if (typeof given.text !== 'string' || given.text === '') throw new SlackError('no_text');
    if (given.text.length > 40_000) throw new SlackError('msg_too_long');
    const metadata = readMetadata(given.metadata);
    const recent = world.recent.get(channel.id) ?? [];
    world.recent.set(channel.id, recent);
    const waitMs = waitForRoom(recent, nowMs, 1_000, world.knobs.perSecond);
    if (waitMs !== null) return rateLimited(Math.ceil(waitMs / 1_000));
    const message = keepMessage(
      world,
      { channel: channel.id, text: given.text, by: 'bot', botId: token.botId, metadata },
      nowMs,
    );
    return { channel: channel.id, ts: message.ts, message: resourceOf(message, false) };
  },
  /** Newest first, and of the messages' metadata nothing that was not asked for. Source: conversations.history. */
  'conversations.history'(world, token, given) {
    const channel = world.channels.get(String(given.channel));
    // unlike chat.postMessage, it takes an id only
    if (channel?.workspace !== token.workspace) throw new SlackError('channel_not_found');
    if (!channel.joined) throw new SlackError('not_in_channel');
    const oldest = Number(given.oldest ?? 0);
    const limit = Math.min(999, Number(given.limit ?? 100));
    const found = world.messages.filter(({ channel: id, ts }) => id === channel.id && Number(ts) > oldest).toReversed();
    const all = given.include_all_metadata === true || given.include_all_metadata === 'true';
    return {
      messages: found.slice(0, limit).map((message) => resourceOf(message, all)),
      has_more: found.length > limit,
      pin_count: 0,
    };
  },
};

/** `/api/{method}`, arguments as JSON or as a form, the token in the header. */
export function answerApi(world: World, request: Request, moment: Moment): Reply {
  const name = request.path.slice('/api/'.length);
  const method = methods[name];
  if (method === undefined) throw new SlackError('unknown_method', { req_method: name });
  const [, secret] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (secret === undefined) throw new SlackError('not_authed');
  const token = world.tokens.get(secret);
  if (token === undefined) throw new SlackError('invalid_auth');
  if (token.revoked) throw new SlackError('token_revoked');
  const needed = scopeOf[name];
  if (needed !== undefined && !token.scopes.includes(needed)) {
    throw new SlackError('missing_scope', { needed, provided: token.scopes.join(',') });
  }
  const answer = method(world, token, readArguments(request), moment);
  if ('status' in answer && 'body' in answer) return answer as Reply;
  return jsonReply(200, { ok: true, ...answer });
}

function readArguments({ headers, query, body }: Request): Arguments {
  if (headers['content-type']?.startsWith('application/json') !== true) {
    return { ...Object.fromEntries(new URLSearchParams(query)), ...Object.fromEntries(new URLSearchParams(body)) };
  }
  try {
    return JSON.parse(body) as Arguments;
  } catch {
    throw new SlackError('invalid_json');
  }
}

/** By id, or by name with its hash. A channel of another workspace, or a private one of others, is not found. */
function findChannel(world: World, token: Token, given: unknown): Channel {
  const found = [...world.channels.values()].find(
    ({ id, name, workspace }) => workspace === token.workspace && (id === given || `#${name}` === given),
  );
  if (found === undefined) throw new SlackError('channel_not_found');
  return found;
}

function readMetadata(given: unknown): Message['metadata'] {
  if (given === undefined) return null;
  const { event_type: type, event_payload: payload } = given as NonNullable<Message['metadata']>;
  if (typeof type !== 'string' || typeof payload !== 'object') throw new SlackError('invalid_metadata_format');
  return { event_type: type, event_payload: payload };
}

function resourceOf({ ts, text, botId, metadata }: Message, withMetadata: boolean) {
  return {
    type: 'message',
    subtype: 'bot_message',
    text,
    ts,
    bot_id: botId,
    ...(withMetadata && metadata && { metadata }),
  };
}
