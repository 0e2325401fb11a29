import { randomUUIDv7 } from 'node:crypto';
import { AppError, ProviderError, part } from '#kernel/errors.ts';
import type { ConnectionId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, isViolationOf, type Tx } from '#platform/db.ts';
import type { Grant, Identity, OAuthAccess } from '#platform/oauth-server.ts';
import { type OAuthProviderName, oauthServices } from '#providers/registry.ts';
import { demandRoom } from './demand-room.ts';
import { refreshCalendars } from './refresh-calendars.ts';
import { type Reason, scopesMissing } from './rules/grant-failures.ts';
import { tokenPlace } from './rules.ts';
import {
  findBySubject,
  findConnectionById,
  insertConnection,
  updateIdentity,
  updateStatus,
} from './store/connections.ts';
import { insertGrant } from './store/tokens.ts';

/** A person is waiting. */
const deadlineMs = 15_000;

export interface GrantedAccount {
  provider: OAuthProviderName;
  profile: string;
  /** The account that was to be connected again; null where any will do. */
  accountId: string | null;
}

/**
 * Stores what a person granted, of an account they did not have or of one they had: that keeps its calendars, mirrors
 * and history. `incomplete` says what is missing where they left something unticked.
 *
 * *Errors*: AppError conflict, OTHER_ACCOUNT or LEAVING; as `demandRoom`; nothing is stored then.
 */
export async function keepGrant(
  app: App,
  userId: UserId,
  account: GrantedAccount,
  access: OAuthAccess,
  { grant, identity }: { grant: Grant; identity: Identity },
): Promise<{ id: ConnectionId; incomplete: string | null }> {
  const service = oauthServices[account.provider];
  const { refreshToken } = grant;
  if (refreshToken === null) {
    throw new AppError('unavailable', 'NO_REFRESH_TOKEN', `${service} gave access for an hour only. Connect again.`);
  }
  const granted = new Set((grant.scopes ?? access.scopes).map((scope) => access.normaliseScope(scope)));
  const missing = access.needed.filter(({ scope }) => !granted.has(scope));
  const reason = missing.length > 0 ? scopesMissing(service, missing) : null;
  const keep = async (tx: Tx) => {
    const id = await keepIdentity(app, tx, userId, account, service, identity);
    await insertGrant(tx, id, {
      refreshToken: app.keyring.seal(refreshToken, tokenPlace(id, 'refresh_token')),
      accessToken: app.keyring.seal(grant.accessToken, tokenPlace(id, 'access_token')),
      accessExpiresMs: grant.accessExpiresMs,
      scopes: [...granted],
    });
    if (reason !== null) await updateStatus(tx, id, 'needs-reconnect', reason);
    await app.feed.publish(tx, userId, 'accounts');
    return id;
  };
  const id = await inTransaction(app.db, keep).catch((error: unknown) => {
    // two windows at once: by now the account is there
    if (!isViolationOf(error, 'connections_user_id_provider_profile_subject_key')) throw error;
    return inTransaction(app.db, keep);
  });
  if (reason === null) await listNow(app, id);
  return { id, incomplete: reason?.message ?? null };
}

async function keepIdentity(
  app: App,
  tx: Tx,
  userId: UserId,
  { provider, profile, accountId }: GrantedAccount,
  service: string,
  identity: Identity,
): Promise<ConnectionId> {
  // an emulated provider has another port, and so another name, each time it is started
  const issuer = profile === 'simulated' ? profile : identity.issuer;
  const subject = `${issuer} ${identity.subject}`;
  const address = identity.email ?? identity.userName;
  const label = address ?? identity.name ?? `${service} account`;
  const addresses = address === null ? [] : [address.toLowerCase()];
  const known = await findBySubject(tx, { userId, provider, profile, subject });
  if (accountId !== null && known?.id !== accountId) {
    const wanted = await findConnectionById(tx, accountId as ConnectionId);
    throw new AppError(
      'conflict',
      'OTHER_ACCOUNT',
      `You signed in as ${label}, but ${wanted?.label ?? part('another account')} was to be connected again. Nothing was changed: choose that account at ${service}, or connect ${label} as one more.`,
    );
  }
  if (known?.status === 'disconnecting') {
    throw new AppError(
      'conflict',
      'LEAVING',
      `${label} is just being disconnected. Nothing was changed: connect it again once it has left the list.`,
    );
  }
  const id = known?.id ?? (randomUUIDv7() as string as ConnectionId);
  if (known === null) {
    await demandRoom(app, tx, userId);
    const none = { baseUrl: null, username: null, secret: null };
    await insertConnection(tx, { id, userId, provider, profile, label, ...none, subject, addresses });
  } else {
    await updateIdentity(tx, id, { label, addresses });
  }
  return id;
}

/** The calendars at once, as somebody waits for them. What the provider refuses here stays to be tried again. */
async function listNow(app: App, id: ConnectionId): Promise<void> {
  try {
    await refreshCalendars(app, id, AbortSignal.timeout(deadlineMs), 'always');
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof Error && error.name === 'TimeoutError')) throw error;
    const reason: Reason =
      error instanceof ProviderError
        ? error
        : {
            code: 'TIMEOUT',
            message: 'The provider takes long to list the calendars; they are asked for again by themselves.',
          };
    app.log.info({ connectionId: id, err: error }, 'an account did not tell its calendars');
    const status = error instanceof ProviderError && error.kind === 'auth' ? 'needs-reconnect' : 'error';
    await updateStatus(app.db, id, status, { code: reason.code, message: reason.message });
  }
}
