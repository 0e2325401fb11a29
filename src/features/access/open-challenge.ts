import { randomUUIDv7 } from 'node:crypto';
import { hashToken, mintToken } from '#platform/crypto.ts';
import type { Database } from '#platform/db.ts';
import { insertChallenge, type NewChallenge } from './store/challenges.ts';

/** A token for the way from the first proof to the second; it opens nothing else. */
export async function openChallenge(db: Database, asked: Omit<NewChallenge, 'id' | 'tokenHash'>): Promise<string> {
  const token = mintToken();
  await insertChallenge(db, { ...asked, id: randomUUIDv7(), tokenHash: hashToken(token) });
  return token;
}
