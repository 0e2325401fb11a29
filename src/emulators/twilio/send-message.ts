import type { Moment } from '#emulators/kit/emulator.ts';
import { announceStatus } from './announce.ts';
import {
  badCallback,
  badRecipient,
  badSender,
  noBody,
  noPermission,
  noRecipient,
  noRoute,
  noSender,
  notMobile,
  notOwned,
  type TwilioError,
  tooLong,
  unknownService,
  unsubscribed,
} from './errors.ts';
import { type Account, type Message, nextSid, type World } from './world.ts';

const e164 = /^\+[1-9]\d{6,14}$/;

/** Numbers with a fate of their own. Source: "Test credentials", parameters for sending SMS. */
const magic: Record<string, (to: string) => TwilioError> = {
  '+15005550001': badRecipient,
  '+15005550002': noRoute,
  '+15005550003': noPermission,
  '+15005550004': unsubscribed,
  '+15005550009': notMobile,
};

/** `POST Messages.json`. Source: "Messages resource", create a message. */
export function sendMessage(world: World, account: Account, form: URLSearchParams, moment: Moment): Message {
  const to = form.get('To') ?? '';
  const body = form.get('Body') ?? '';
  const serviceSid = form.get('MessagingServiceSid');
  const statusCallback = form.get('StatusCallback');
  if (to === '') throw noRecipient();
  if (serviceSid !== null && !account.services.has(serviceSid)) throw unknownService();
  const from = serviceSid === null ? (form.get('From') ?? '') : account.services.get(serviceSid)!.number;
  if (from === '') throw noSender();
  if (!e164.test(from)) throw badSender(from);
  if (!account.numbers.has(from)) throw notOwned(from);
  if (body === '') throw noBody();
  if (body.length > 1_600) throw tooLong();
  if (!e164.test(to)) throw badRecipient(to);
  if (statusCallback !== null && !isUsable(statusCallback)) throw badCallback();
  const fate = magic[to];
  if (fate) throw fate(to);
  if (world.optOuts.has(`${from} ${to}`)) throw unsubscribed();
  const message: Message = {
    sid: nextSid(world, 'SM'),
    accountSid: account.sid,
    direction: 'outbound-api',
    from,
    to,
    body,
    serviceSid,
    statusCallback,
    createdMs: moment.nowMs,
    errorCode: world.knobs.undelivered[to] ?? null,
  };
  world.messages.push(message);
  announceStatus(moment.deliveries, account, message);
  return message;
}

function isUsable(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && text.length <= 4_000 && !url.hostname.includes('_');
}
