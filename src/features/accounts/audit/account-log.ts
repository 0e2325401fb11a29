import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { networkOf } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { accountsContract } from '../contract.ts';
import type { AccountEventDetails, AccountEventKind } from '../rules/account-log.ts';
import { deviceOf } from '../rules/device.ts';
import { insertAccountEvent, listAccountEventRows, listSignInAddresses } from '../store/account-log.ts';

/** An event of an account. `request` is null for the operator's command line. */
interface AccountEvent {
  userId: UserId;
  kind: AccountEventKind;
  request: Pick<RequestFacts, 'ip' | 'userAgent'> | null;
  details?: AccountEventDetails;
}

/**
 * Adds an event to the account log, which the person reads under Security, in the transaction of the change. A failed
 * attempt has no such transaction and is recorded with `app.db`.
 */
export async function recordAccountEvent(tx: Database, event: AccountEvent): Promise<void> {
  const { userId, kind, request, details = {} } = event;
  await insertAccountEvent(tx, { userId, kind, details, ip: request?.ip, userAgent: request?.userAgent });
}

type Trail = Output<typeof accountsContract.readTrail>;

const entriesPerPage = 50;

/** One page of what happened to somebody's account. */
export async function listAccountEvents(
  app: Pick<App, 'db'>,
  actor: Actor,
  before: string | undefined,
): Promise<Trail> {
  const rows = await listAccountEventRows(app.db, actor, { before, most: entriesPerPage + 1 });
  const entries = rows.slice(0, entriesPerPage).map((row) => ({
    id: row.id,
    at: row.at.epochMilliseconds,
    kind: row.kind as AccountEventKind,
    ip: row.ip,
    device: deviceOf(row.user_agent),
    details: row.details as AccountEventDetails,
  }));
  return { entries, next: rows.length > entriesPerPage ? (entries.at(-1)?.id ?? null) : null };
}

/** Whether somebody has lately signed in from this network (`networkOf`). */
export async function hasSignedInFrom(db: Database, userId: UserId, network: string): Promise<boolean> {
  return (await listSignInAddresses(db, userId)).some((address) => networkOf(address) === network);
}
