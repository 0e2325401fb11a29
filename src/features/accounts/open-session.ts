import { randomUUIDv7 } from 'node:crypto';
import type { SessionId, UserId } from '#kernel/ids.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import type { Database } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { insertSession, type NewSession } from './store/sessions.ts';

/** A new session with a new token, whatever the browser had before (nothing to fixate). */
export async function openSession(
  db: Database,
  { id: userId }: { id: UserId },
  {
    method,
    secondFactor,
    request,
    impersonation,
  }: Pick<NewSession, 'method' | 'secondFactor' | 'impersonation'> & { request: RequestFacts },
): Promise<string> {
  const token = mintToken();
  await insertSession(db, {
    id: randomUUIDv7() as SessionId,
    userId,
    tokenHash: hashToken(token),
    ip: request.ip,
    userAgent: request.userAgent,
    method,
    secondFactor,
    impersonation,
  });
  return token;
}
