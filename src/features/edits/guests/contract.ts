import * as z from 'zod/mini';
import { epochMs, line, uuid } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

export const mostGuestsAsked = 50;

const address = line(254).check(z.regex(/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/u));

export const guestBusyContract = {
  guestBusy: endpoint({
    method: 'POST',
    path: '/api/guest-busy',
    auth: 'user',
    summary: 'Busy times of guests, as reported by the caller’s providers. At most 60 calls an hour',
    body: z.strictObject({
      calendar_id: uuid, // calendar of the event; its account is asked about all guests, others about guests of their own domain
      from: epochMs,
      to: epochMs, // at most 40 days after `from`
      guests: z.array(address).check(z.maxLength(mostGuestsAsked)),
    }),
    output: z.strictObject({
      /** In the order of the question. `busy` null: no provider tells, and the guest may be busy. */
      guests: z.array(
        z.strictObject({
          address: z.string(),
          busy: z.nullable(z.array(z.strictObject({ start: epochMs, end: epochMs }))),
        }),
      ),
    }),
    errors: ['BAD_TIME'],
  }),
};
