import { randomUUIDv7 } from 'node:crypto';
import { demandRecentProof } from '#features/accounts/public.ts';
import { endSessions } from '#features/accounts/sessions/public.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { IdentityId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { beginJourney } from '#platform/oauth-journey.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';
import type { accessContract } from '../contract.ts';
import type { ProviderPerson } from '../rules/provider-person.ts';
import { linkPurpose, redirectUriOf } from '../rules/provider-return.ts';
import { type SignInProvider, signInProviderOf, signInServices } from '../rules/sign-in-providers.ts';
import { notifyOfSignInMethod, requireSignInMethod } from '../sign-in/methods.ts';
import { deleteIdentity, findIdentityOwner, insertIdentity, listIdentitiesOf } from '../store/identities.ts';
import { lockSignInMethods } from '../store/sign-in-methods.ts';
import { getSignInServer } from './servers.ts';

/** The identities that sign this person in, in the order in which they were linked. */
export async function listIdentities(
  app: Pick<App, 'db'>,
  actor: Actor,
): Promise<Output<typeof accessContract.listIdentities>> {
  const rows = await listIdentitiesOf(app.db, actor.userId);
  return {
    identities: rows.flatMap((row) => {
      const provider = signInProviderOf(row.provider);
      if (provider === undefined) return [];
      const { id, label, created_at, last_used_at } = row;
      const times = { linkedAt: created_at.toString(), lastUsedAt: last_used_at.toString() };
      return [{ id, provider, service: signInServices[provider], label, ...times }];
    }),
  };
}

/** More than anybody has at four providers. */
const identitiesMost = 10;

/**
 * From now on this identity signs this person in. The address it names plays no part.
 * *Errors*: AppError conflict (IDENTITY_TAKEN, TOO_MANY_IDENTITIES).
 */
export async function linkIdentity(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail'>,
  { userId }: Actor,
  person: ProviderPerson,
  request: RequestFacts,
): Promise<void> {
  const { provider, label } = person;
  const service = signInServices[provider];
  await inTransaction(app.db, async (tx) => {
    await lockSignInMethods(tx, userId);
    const inserted = await insertIdentity(tx, { id: randomUUIDv7() as string as IdentityId, userId, person });
    if (!inserted) {
      if ((await findIdentityOwner(tx, person)) === userId) return;
      throw new AppError(
        'conflict',
        'IDENTITY_TAKEN',
        `This ${service} account is linked to another Holdfast account. Unlink it there first, or choose another one.`,
      );
    }
    if ((await listIdentitiesOf(tx, userId)).length > identitiesMost) {
      throw new AppError(
        'conflict',
        'TOO_MANY_IDENTITIES',
        `You can link up to ${identitiesMost} accounts. Unlink one first.`,
      );
    }
    await notifyOfSignInMethod(app, tx, userId, { kind: 'identity-linked', provider, name: label }, request);
  });
}

/**
 * Unlinks an identity, which can no longer sign in. The person's other sessions end, because it may have opened any of
 * them. *Errors*: AppError forbidden (REAUTHENTICATE), not-found, conflict (LAST_WAY_IN).
 */
export async function unlinkIdentity(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail'>,
  actor: Actor,
  identityId: string,
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  const { userId, sessionId } = actor;
  await inTransaction(app.db, async (tx) => {
    await lockSignInMethods(tx, userId);
    const unlinked = await deleteIdentity(tx, userId, identityId);
    if (unlinked === undefined) throw new AppError('not-found', 'NOT_FOUND', 'Identity not found.');
    await requireSignInMethod(app, tx, userId);
    await endSessions(tx, userId, { except: sessionId });
    const { provider, label: name } = unlinked;
    await notifyOfSignInMethod(app, tx, userId, { kind: 'identity-unlinked', provider, name }, request);
  });
}

/**
 * The address at the provider where this person shows which identity is theirs. Only somebody who has just proved who
 * they are gets it, and by POST: another site cannot send them there.
 * *Errors*: AppError forbidden (REAUTHENTICATE, KEY_REQUIRED), unavailable (NOT_CONFIGURED).
 */
export async function startLinking(
  app: App,
  actor: Actor,
  note: BrowserNote,
  provider: SignInProvider,
): Promise<{ url: string }> {
  demandRecentProof(actor);
  const found = await getSignInServer(app, note, provider);
  const url = await beginJourney(app, note, found.client(), {
    purpose: linkPurpose(provider, actor),
    redirectUri: redirectUriOf(app.config.publicUrl, provider),
    scopes: found.scopes,
    luggage: '',
  });
  return { url };
}
