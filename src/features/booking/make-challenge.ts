import { createChallenge } from 'altcha-lib/v1';
import type { EventTypeId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { challengeKey, mostTries } from './rules/booking-challenge.ts';

const usableMs = 300_000;

/** JSON that a browser has to solve before a guest can book this event type without a mail. */
export async function makeChallenge(
  { keyring, clock }: Pick<App, 'keyring' | 'clock'>,
  eventTypeId: EventTypeId,
): Promise<string> {
  const challenge = await createChallenge({
    hmacKey: keyring.derive(challengeKey).toString('base64'),
    maxnumber: mostTries,
    params: { type: eventTypeId, until: String(clock.nowMs() + usableMs) },
  });
  return JSON.stringify(challenge);
}
