import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { parseHttpDate } from '#kernel/http-date.ts';
import { type Heard, lostAnswer, type Refusal, refusalOf, type Sent } from '../../rules/sending.ts';
import type { OpenCredential } from './services.ts';

/** Source: Twilio, "Messages resource"; "Error and Warning Dictionary". */

export interface TextMessage {
  to: string;
  body: string;
  /** Where Twilio tells what became of it; null where it cannot reach us. */
  statusUrl: string | null;
}

const created = z.object({ sid: z.string() });
const failed = z.object({ code: z.number() });
const listed = z.object({
  messages: z.array(z.object({ sid: z.string(), body: z.string(), date_created: z.string(), direction: z.string() })),
});

/** Codes that mean something to us; whatever else Twilio refuses is refused for good. */
const reasons: Record<number, string> = {
  21211: 'bad-number',
  21214: 'bad-number',
  21408: 'region-not-allowed',
  21606: 'bad-sender',
  21212: 'bad-sender',
  21705: 'bad-sender',
  21610: 'opted-out',
  21612: 'not-reachable',
  21614: 'no-mobile-number',
  21617: 'too-long',
  30003: 'not-reachable',
  30005: 'bad-number',
  30006: 'no-mobile-number',
};

async function send(credential: OpenCredential, message: TextMessage, nowMs: number): Promise<Sent> {
  const { sender = '' } = credential.settings;
  const form = new URLSearchParams({ To: message.to, Body: message.body });
  form.set(sender.startsWith('MG') ? 'MessagingServiceSid' : 'From', sender);
  if (message.statusUrl !== null) form.set('StatusCallback', message.statusUrl);
  const heard = await callTwilio(credential, '/Messages.json', form);
  // a gateway's 5xx comes from before or after the message was made
  if (heard.kind === 'none' || heard.status >= 500) return lostAnswer(heard);
  if (heard.status === 201) {
    const made = created.safeParse(heard.json);
    return made.success ? { kind: 'sent', reference: made.data.sid } : { kind: 'unknown' };
  }
  return twilioRefusal(heard, nowMs);
}

/** Messages like this one that were made since, newest first: what a lost answer may have told of. */
async function findSent(credential: OpenCredential, message: TextMessage, sinceMs: number): Promise<string[] | null> {
  const query = new URLSearchParams({ To: message.to, PageSize: '50' });
  const heard = await callTwilio(credential, `/Messages.json?${query.toString()}`);
  const found = heard.kind === 'answer' && heard.status === 200 ? listed.safeParse(heard.json) : null;
  if (found?.success !== true) return null;
  return found.data.messages
    .filter(({ body, direction }) => body === message.body && direction.startsWith('outbound'))
    .filter(({ date_created: at }) => (parseHttpDate(at) ?? 0) >= sinceMs)
    .map(({ sid }) => sid);
}

/** The account itself, and that it may send. */
async function check(credential: OpenCredential, nowMs: number): Promise<{ name: string } | Refusal | null> {
  const heard = await callTwilio(credential, '.json');
  if (heard.kind === 'none' || heard.status >= 500) return null;
  const account = z.object({ friendly_name: z.string(), status: z.string() }).safeParse(heard.json);
  if (heard.status !== 200 || !account.success) return twilioRefusal(heard, nowMs);
  if (account.data.status !== 'active') return suspended;
  const { sender = '' } = credential.settings;
  if (sender.startsWith('MG')) return { name: account.data.friendly_name };
  const owned = await callTwilio(credential, `/IncomingPhoneNumbers.json?PhoneNumber=${encodeURIComponent(sender)}`);
  if (owned.kind === 'none' || owned.status >= 500) return null;
  const numbers = z.object({ incoming_phone_numbers: z.array(z.unknown()) }).safeParse(owned.json);
  if (numbers.success && numbers.data.incoming_phone_numbers.length === 0) {
    return refused('bad-sender', `${sender} isn't a number of this Twilio account.`);
  }
  return { name: account.data.friendly_name };
}

function callTwilio(
  { call, url, settings, secret }: OpenCredential,
  path: string,
  form?: URLSearchParams,
): Promise<Heard> {
  const { accountSid = '' } = settings;
  const basic = Buffer.from(`${accountSid}:${secret.token ?? ''}`).toString('base64');
  return call({
    url: `${url}/2010-04-01/Accounts/${accountSid}${path}`,
    method: form === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Basic ${basic}`,
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form && { body: form.toString() }),
  });
}

const refused = (reason: string, account?: string): Refusal => ({
  kind: 'refused',
  reason,
  permanent: true,
  ...(account !== undefined && { account }),
});
const suspended = refused('account-refused', 'Twilio has suspended this account. Check your Twilio console.');

function twilioRefusal(heard: Heard & { kind: 'answer' }, nowMs: number): Refusal {
  if (heard.status === 401) {
    return refused('account-refused', 'Twilio no longer accepts this SID and auth token. Connect Twilio again.');
  }
  if (heard.status === 403) return suspended;
  const { data: error } = failed.safeParse(heard.json);
  return refusalOf(heard, nowMs) ?? refused(reasons[error?.code ?? 0] ?? `twilio-${error?.code ?? heard.status}`);
}

export const twilio = { send, findSent, check };

/** The expected `X-Twilio-Signature`. Source: Twilio, "Webhooks security", validating signatures. */
export function signTwilio(authToken: string, url: string, parameters: readonly (readonly [string, string])[]): string {
  const sorted = parameters.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  const signed = url + sorted.map(([name, value]) => name + value).join('');
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}
