import { randomUUIDv7 } from 'node:crypto';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { SessionId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { publishEntry } from '#platform/feed.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { sessionEndedTopic } from '#platform/stream.ts';
import { recordAccountEvent } from '../audit/account-log.ts';
import type { accountsContract } from '../contract.ts';
import { deviceOf } from '../rules/device.ts';
import {
  deleteSessions,
  findSession,
  insertSession,
  listSessions,
  type NewSession,
  replaceToken,
} from '../store/sessions.ts';
import { lockUser } from '../store/users.ts';
import { endLastingAccess } from './api-keys.ts';

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

/**
 * Gives the session of this request a new token; the old one is nobody's when the transaction commits. After a change
 * of rights, so that a token that was overheard or planted before is worth nothing after. With `proof` the person has
 * just proved again who they are. The caller sets the cookie (`sessionSeconds`) and gives the token in its answer.
 * *Errors*: AppError unauthenticated where the session has ended meanwhile.
 * *Source*: OWASP ASVS 5.0 7.2.4.
 */
export async function renewSession(
  tx: Tx,
  actor: Actor,
  proof?: { method?: string; secondFactor?: boolean },
): Promise<string> {
  const token = mintToken();
  if (!(await replaceToken(tx, actor, hashToken(token), proof))) {
    throw new AppError('unauthenticated', 'UNAUTHENTICATED', 'Authentication required');
  }
  return token;
}

type OwnSession = Output<typeof accountsContract.listSessions>['sessions'][number];

/** Where somebody is signed in. */
export async function listOwnSessions(app: Pick<App, 'db'>, actor: Actor): Promise<OwnSession[]> {
  const rows = await listSessions(app.db, actor);
  return rows.map((row) => ({
    id: row.id,
    current: row.id === actor.sessionId,
    device: deviceOf(row.user_agent),
    ip: row.ip,
    method: row.method,
    secondFactor: row.second_factor,
    createdAt: row.created_at.epochMilliseconds,
    lastSeenAt: row.last_seen_at.epochMilliseconds,
  }));
}

/**
 * Ends somebody's sessions (all, one, or all but one) when the transaction commits: the next request finds none, and
 * open streams close at once in every process. Changes of a sign-in's proofs (password, e-mail, second factor, role)
 * call this in their transaction. A deletion of the account does so, too. Returns the number of ended sessions.
 */
export async function endSessions(
  tx: Tx,
  userId: UserId,
  which: { only?: SessionId | undefined; except?: SessionId | undefined } = {},
): Promise<number> {
  const sessionIds = await deleteSessions(tx, userId, which);
  if (sessionIds.length > 0) await publishEntry(tx, userId, sessionEndedTopic, { sessionIds });
  return sessionIds.length;
}

/**
 * Ends one of somebody's own sessions. Asks for no recent proof: who finds a stranger's session must be able to end it.
 * *Errors*: AppError not-found, for another person's too.
 */
export async function revokeSession(
  app: Pick<App, 'db'>,
  actor: Actor,
  sessionId: SessionId,
  request: RequestFacts,
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    if ((await endSessions(tx, actor.userId, { only: sessionId })) === 0) {
      throw new AppError('not-found', 'NOT_FOUND', 'This session has already ended.');
    }
    await recordAccountEvent(tx, { userId: actor.userId, kind: 'session-ended', request });
  });
}

/** Ends the session in every process, its open streams included. */
export async function signOut(app: Pick<App, 'db'>, actor: Actor, request: RequestFacts): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    if ((await endSessions(tx, actor.userId, { only: actor.sessionId })) > 0) {
      await recordAccountEvent(tx, { userId: actor.userId, kind: 'signed-out', request });
    }
  });
}

/** Ends somebody's sessions on every device; the one that asks, API keys and published feeds only where wished. Gives how many sessions ended. */
export function signOutEverywhere(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail' | 'news'>,
  actor: Actor,
  { includingThis, endKeys, request }: { includingThis: boolean; endKeys: boolean; request: RequestFacts },
): Promise<number> {
  return inTransaction(app.db, async (tx) => {
    const user = endKeys ? await lockUser(tx, actor.userId) : null;
    if (user) await endLastingAccess(app, tx, user, request);
    const ended = await endSessions(tx, actor.userId, includingThis ? {} : { except: actor.sessionId });
    if (ended > 0) {
      await recordAccountEvent(tx, {
        userId: actor.userId,
        kind: 'sessions-ended',
        request,
        details: { sessions: ended, includingThis },
      });
    }
    return ended;
  });
}

/** The person of a session token; null once the session has ended. */
export async function findSignedIn(db: Database, token: string): Promise<UserId | null> {
  const session = await findSession(db, hashToken(token));
  return session?.user_id ?? null;
}
