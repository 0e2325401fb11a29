import type { Deliveries } from '#emulators/kit/deliveries.ts';
import { callOut } from './announce.ts';
import { type Account, type Message, nextSid, type World } from './world.ts';

const stopWords = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'];
const startWords = ['START', 'YES', 'UNSTOP'];
const helpWords = ['HELP', 'INFO'];

/**
 * Takes a person's message to a number of ours. Twilio keeps the opt-out list, answers the keywords, and hands the
 * message on. Source: "Twilio support for STOP, START, and HELP keywords"; "Twilio's request to your incoming message
 * webhook URL".
 */
export function takeInbound(
  world: World,
  account: Account,
  { from, to, body }: { from: string; to: string; body: string },
  { nowMs, deliveries }: { nowMs: number; deliveries: Deliveries },
): Message {
  const service = [...account.services].find(([, { number }]) => number === to);
  const message: Message = {
    sid: nextSid(world, 'SM'),
    accountSid: account.sid,
    direction: 'inbound',
    from,
    to,
    body,
    serviceSid: service?.[0] ?? null,
    statusCallback: null,
    createdMs: nowMs,
    errorCode: null,
  };
  world.messages.push(message);
  const word = body.trim().toUpperCase();
  const kind = stopWords.includes(word) ? 'STOP' : startWords.includes(word) ? 'START' : null;
  if (kind === 'STOP') world.optOuts.add(`${to} ${from}`);
  if (kind === 'START') world.optOuts.delete(`${to} ${from}`);
  const url = service?.[1].inboundUrl ?? account.numbers.get(to)?.smsUrl ?? null;
  if (url === null) return message;
  const optOutType = kind ?? (helpWords.includes(word) ? 'HELP' : null);
  callOut(deliveries, account, url, {
    MessageSid: message.sid,
    SmsSid: message.sid,
    SmsMessageSid: message.sid,
    AccountSid: account.sid,
    ApiVersion: '2010-04-01',
    From: from,
    To: to,
    Body: body,
    NumMedia: '0',
    NumSegments: '1',
    SmsStatus: 'received',
    ...(service && { MessagingServiceSid: service[0] }),
    // only of a service with advanced opt-out
    ...(service && optOutType && { OptOutType: optOutType }),
  });
  return message;
}
