import type { Deliveries } from '#emulators/kit/deliveries.ts';
import { signForm } from './sign.ts';
import { type Account, callbackDelays, type Message } from './world.ts';

/** A form to one of the account's own addresses, with its signature. */
export function callOut(
  deliveries: Deliveries,
  account: Account,
  url: string,
  parameters: Record<string, string>,
  delayMs = 0,
): void {
  deliveries.enqueue(
    account.sid,
    {
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
        'user-agent': 'TwilioProxy/1.1',
        'x-twilio-signature': signForm(account.authToken, url, parameters),
      },
      body: new URLSearchParams(parameters).toString(),
    },
    delayMs,
  );
}

/** Sends the states of a message to its status callback. Source: "Track outbound message status". */
export function announceStatus(deliveries: Deliveries, account: Account, message: Message): void {
  const { sid, from, to, errorCode, statusCallback, serviceSid } = message;
  if (statusCallback === null) return;
  for (const status of ['sent', errorCode === null ? 'delivered' : 'undelivered'] as const) {
    callOut(
      deliveries,
      account,
      statusCallback,
      {
        AccountSid: account.sid,
        ApiVersion: '2010-04-01',
        From: from,
        To: to,
        MessageSid: sid,
        SmsSid: sid,
        MessageStatus: status,
        SmsStatus: status,
        ...(serviceSid !== null && { MessagingServiceSid: serviceSid }),
        ...(status === 'undelivered' && { ErrorCode: String(errorCode) }),
      },
      callbackDelays[status],
    );
  }
}
