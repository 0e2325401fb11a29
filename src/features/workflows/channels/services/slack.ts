import * as z from 'zod/mini';
import type { CredentialSettings } from '../../rules/credential.ts';
import { type Heard, lostAnswer, type Refusal, refusalOf, type Sent } from '../../rules/sending.ts';
import type { OpenCredential } from './services.ts';

/** Source: Slack, "Sending messages using incoming webhooks"; `chat.postMessage`; `conversations.history`; "Rate limits". */

interface SlackPost {
  /** The key of the run. */
  key: string;
  /** Null: the webhook's own, or the one that the bot was connected with. */
  channel: string | null;
  text: string;
}

const answered = z.object({
  ok: z.boolean(),
  error: z.optional(z.string()),
  ts: z.optional(z.string()),
  channel: z.optional(z.string()),
  team: z.optional(z.string()),
  team_id: z.optional(z.string()),
});
const history = z.object({
  ok: z.literal(true),
  messages: z.array(z.object({ ts: z.string(), metadata: z.optional(z.object({ event_payload: z.unknown() })) })),
});

/** Ours among the events that messages carry. */
const eventType = 'holdfast_run';

/** Nothing that people typed becomes a mention or a link of Slack's own. Source: "Formatting text", escaping. */
const escapeSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function send(credential: OpenCredential, post: SlackPost, nowMs: number): Promise<Sent> {
  return credential.kind === 'slack-bot' ? postByBot(credential, post, nowMs) : postByWebhook(credential, post, nowMs);
}

async function postByWebhook({ call, url }: OpenCredential, { text }: SlackPost, nowMs: number): Promise<Sent> {
  const heard = await call({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: escapeSlack(text) }),
  });
  if (heard.kind === 'none' || heard.status >= 500) return lostAnswer(heard);
  if (heard.status === 200) return { kind: 'sent', reference: '' };
  const general = refusalOf(heard, nowMs);
  if (general !== null) return general;
  const word = /^[a-z_]{1,60}$/.test(heard.body) ? heard.body : `answer-${heard.status}`;
  return slackRefusal(word, ['no_service', 'no_team', 'channel_not_found', 'channel_is_archived', 'action_prohibited']);
}

async function postByBot(credential: OpenCredential, { key, channel, text }: SlackPost, nowMs: number): Promise<Sent> {
  const heard = await callSlack(credential, 'chat.postMessage', {
    channel: channel ?? credential.settings.channel,
    text: escapeSlack(text),
    unfurl_links: false,
    metadata: { event_type: eventType, event_payload: { run: key } },
  });
  if (heard.kind === 'none' || heard.status >= 500) return lostAnswer(heard);
  const { data } = answered.safeParse(heard.json);
  if (data?.ok === true && data.ts !== undefined) return { kind: 'sent', reference: `${data.channel} ${data.ts}` };
  return refusalOf(heard, nowMs) ?? botRefusal(data?.error);
}

/** The message of this run in the channel's last hundred since. */
async function findSent(
  credential: OpenCredential,
  { key, channel }: SlackPost,
  sinceMs: number,
): Promise<string[] | null | 'never'> {
  const place = channel ?? credential.settings.channel ?? '';
  // a webhook reads nothing, and a channel is read by its id only
  if (credential.kind !== 'slack-bot' || place.startsWith('#')) return 'never';
  const heard = await callSlack(credential, 'conversations.history', {
    channel: place,
    oldest: String(Math.floor(sinceMs / 1_000)),
    limit: 100,
    include_all_metadata: true,
  });
  if (heard.kind === 'none' || heard.status !== 200) return null;
  const found = history.safeParse(heard.json);
  if (!found.success) return ofAccount.includes(answered.safeParse(heard.json).data?.error ?? '') ? 'never' : null;
  return found.data.messages
    .filter(({ metadata }) => (metadata?.event_payload as { run?: unknown } | undefined)?.run === key)
    .map(({ ts }) => `${place} ${ts}`);
}

/** The account of a token. A webhook can only be tested by posting to it. */
async function check(
  credential: OpenCredential,
  nowMs: number,
): Promise<{ name: string; settings?: CredentialSettings } | Refusal | null> {
  if (credential.kind === 'slack-webhook') {
    const sent = await postByWebhook(
      credential,
      { key: '', channel: null, text: 'Holdfast is connected to this channel.' },
      nowMs,
    );
    if (sent.kind === 'unknown') return null;
    return sent.kind === 'sent' ? { name: credential.label } : sent;
  }
  const heard = await callSlack(credential, 'auth.test', {});
  if (heard.kind === 'none' || heard.status >= 500) return null;
  const { data } = answered.safeParse(heard.json);
  if (data?.ok === true) {
    return { name: data.team ?? 'Slack', ...(data.team_id !== undefined && { settings: { workspace: data.team_id } }) };
  }
  return refusalOf(heard, nowMs) ?? botRefusal(data?.error);
}

function callSlack({ call, url, secret }: OpenCredential, method: string, given: object): Promise<Heard> {
  return call({
    url: `${url}/${method}`,
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${secret.token ?? ''}` },
    body: JSON.stringify(given),
  });
}

const ofAccount = ['invalid_auth', 'not_authed', 'token_revoked', 'token_expired', 'account_inactive', 'missing_scope'];
const passing = [
  'ratelimited',
  'rate_limited',
  'fatal_error',
  'internal_error',
  'service_unavailable',
  'request_timeout',
];

function botRefusal(error = 'bad-answer'): Refusal {
  if (passing.includes(error)) {
    return { kind: 'refused', reason: word(error), permanent: false, retryAfterMs: 30_000 };
  }
  return slackRefusal(error, ofAccount);
}

function slackRefusal(error: string, ofTheAccount: readonly string[]): Refusal {
  return {
    kind: 'refused',
    reason: word(error),
    permanent: true,
    ...(ofTheAccount.includes(error) && {
      account: `Slack refused the request (${error}). Check the app in Slack, then connect it again.`,
    }),
  };
}

const word = (error: string) => error.replaceAll('_', '-').slice(0, 60);

export const slack = { send, findSent, check };
