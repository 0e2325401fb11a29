import { createHash } from 'node:crypto';
import { AppError } from '#kernel/errors.ts';
import { canonicalJson } from '#kernel/event-hash.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import type { KeyedRequest } from './store/booking-answers.ts';

const longestKey = 255;

/**
 * A request as it is known by its Idempotency-Key; null without one.
 * *Errors*: AppError invalid for a key that is none.
 */
export function readKey(eventTypeId: EventTypeId, key: string | undefined, body: unknown): KeyedRequest | null {
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > longestKey)
    throw new AppError('invalid', 'INVALID_INPUT', `Idempotency-Key: 1 to ${longestKey} characters without spaces.`);
  const hash = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return { eventTypeId, keyHash: hash(key), bodyHash: hash(canonicalJson(body)) };
}
