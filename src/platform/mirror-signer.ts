import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RecId } from '#kernel/event.ts';
import type { MirrorIdentity, TagVerifier } from '#kernel/mirror-identity.ts';

/** The origin of a mirror, and its target calendar. */
interface MirrorOrigin {
  targetCalendarId: string;
  originCalendarId: string;
  originUid: string;
  /** The instance, where instances are mirrored one by one; null for singles and whole series. */
  recId: RecId | null;
}

export interface MirrorSigner extends TagVerifier {
  /** The key of a mirror: the same origin always gives the same one. */
  keyOf(origin: MirrorOrigin): string;
  /** The identity under a key. *Errors*: RangeError if generation < 1. */
  identityUnder(key: string, generation: number): MirrorIdentity;
  /** Both at once: the identity of a mirror. *Errors*: RangeError if generation < 1. */
  identityOf(origin: MirrorOrigin, generation: number): MirrorIdentity;
}

const tagVersion = '1';

/**
 * Mints and recognizes mirror identities with the secret of this install. The tag binds the UID: a copy of a mirror in
 * an event of another UID is an ordinary event.
 *
 * *Errors*: RangeError for a secret under 32 bytes.
 */
export function createMirrorSigner(secret: Uint8Array): MirrorSigner {
  if (secret.length < 32) throw new RangeError('The mirror secret must have at least 32 bytes.');
  // One key for each purpose, so that no key of a mirror is ever a valid tag.
  const keyKey = createHmac('sha256', secret).update('holdfast mirror key 1').digest();
  const tagKey = createHmac('sha256', secret).update('holdfast mirror tag 1').digest();

  const tagOf = (uid: string): string =>
    `${tagVersion}:${base32hex(createHmac('sha256', tagKey).update(uid).digest())}`;

  const keyOf = ({ targetCalendarId, originCalendarId, originUid, recId }: MirrorOrigin): string => {
    // JSON keeps the parts apart: no two lists of parts give the same text.
    const parts = JSON.stringify([targetCalendarId, originCalendarId, originUid, recId]);
    return base32hex(createHmac('sha256', keyKey).update(parts).digest());
  };

  const identityUnder = (key: string, generation: number): MirrorIdentity => {
    if (!Number.isSafeInteger(generation) || generation < 1) {
      throw new RangeError(`A generation counts from 1, not ${generation}.`);
    }
    const uid = `${key}-g${generation}@holdfast.invalid`;
    return { key, generation, uid, tag: tagOf(uid) };
  };

  return {
    keyOf,
    identityUnder,
    identityOf: (origin, generation) => identityUnder(keyOf(origin), generation),

    verify(uid, tag) {
      const expected = Buffer.from(tagOf(uid));
      const found = Buffer.from(tag);
      return found.length === expected.length && timingSafeEqual(found, expected);
    },
  };
}

const alphabet = '0123456789abcdefghijklmnopqrstuv';

/** The first 160 bits as 32 characters of a-v and 0-9, which Google takes for an event id. Source: RFC 4648 7. */
function base32hex(digest: Uint8Array): string {
  let text = '';
  for (let bit = 0; bit < 160; bit += 5) {
    const at = bit >> 3;
    const pair = ((digest[at] as number) << 8) | (digest[at + 1] as number);
    text += alphabet[(pair >> (11 - (bit & 7))) & 31];
  }
  return text;
}
