import { jsonReply, type Reply, reply } from '#emulators/kit/exchange.ts';

/** A refusal of the Web API: `ok: false` under status 200. Source: "Using the Slack Web API", evaluating responses. */
export class SlackError extends Error {
  readonly more: Record<string, unknown>;

  constructor(error: string, more: Record<string, unknown> = {}) {
    super(error);
    this.more = more;
  }
}

export const errorReply = ({ message, more }: SlackError): Reply =>
  jsonReply(200, { ok: false, error: message, ...more });

/** Source: "Rate limits": status 429 and `Retry-After` in seconds. */
export const rateLimited = (seconds: number): Reply =>
  jsonReply(429, { ok: false, error: 'ratelimited' }, { 'retry-after': String(seconds) });

/** A webhook answers with a word as text. Source: "Sending messages using incoming webhooks", handling errors. */
export const word = (status: number, text: string, headers: Record<string, string> = {}): Reply =>
  reply(status, { 'content-type': 'text/html', ...headers }, text);
