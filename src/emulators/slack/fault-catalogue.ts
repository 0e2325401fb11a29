import { answering, type CataloguedFault } from '#emulators/kit/fault-table.ts';
import type { Effect } from '#emulators/kit/faults.ts';
import { errorReply, rateLimited, SlackError, word } from './errors.ts';

export const operationGroups = {
  api: ['auth.test', 'chat.postMessage', 'conversations.history'],
  post: ['chat.postMessage', 'webhook'],
  all: ['auth.test', 'chat.postMessage', 'conversations.history', 'webhook'],
};

const error = (code: string): Effect => answering(errorReply(new SlackError(code)));

/** Faults that a client of Slack must handle. */
export const faults: Record<string, CataloguedFault> = {
  unreachable: { op: 'all', variants: { reset: { kind: 'reset' }, timeout: { kind: 'stall' } } },
  // the message was posted, and its sender does not learn of it
  'lost-answer': { op: 'post', phase: 'after', variants: { reset: { kind: 'reset' }, timeout: { kind: 'stall' } } },
  ratelimited: { op: 'api', variants: { told: answering(rateLimited(30)) } },
  rate_limited: { op: 'webhook', variants: { told: answering(word(429, 'rate_limited', { 'retry-after': '30' })) } },
  broken: {
    op: 'all',
    variants: { unavailable: { kind: 'status', status: 503 }, error: { kind: 'status', status: 500 } },
  },
  fatal_error: { op: 'api', variants: { body: error('fatal_error') } },
  invalid_auth: { op: 'api', variants: { body: error('invalid_auth') } },
  channel_not_found: { op: 'chat.postMessage', variants: { body: error('channel_not_found') } },
  action_prohibited: { op: 'webhook', variants: { body: answering(word(403, 'action_prohibited')) } },
};
