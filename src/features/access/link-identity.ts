import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '#kernel/errors.ts';
import type { IdentityId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { ProviderPerson } from './rules/provider-person.ts';
import { signInServices } from './rules/sign-in-providers.ts';
import { findIdentityOwner, insertIdentity, listIdentitiesOf } from './store/identities.ts';
import { lockWaysIn } from './store/ways-in.ts';
import { tellAboutWayIn } from './tell-about-way-in.ts';

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
    await lockWaysIn(tx, userId);
    const inserted = await insertIdentity(tx, { id: randomUUIDv7() as string as IdentityId, userId, person });
    if (!inserted) {
      if ((await findIdentityOwner(tx, person)) === userId) return;
      throw new AppError(
        'conflict',
        'IDENTITY_TAKEN',
        `This ${service} account signs in to another account here. Nothing was changed: unlink it there first, or choose another one.`,
      );
    }
    if ((await listIdentitiesOf(tx, userId)).length > identitiesMost) {
      throw new AppError(
        'conflict',
        'TOO_MANY_IDENTITIES',
        `More than ${identitiesMost} cannot be linked. Nothing was changed: unlink one first.`,
      );
    }
    await tellAboutWayIn(app, tx, userId, { kind: 'identity-linked', provider, name: label }, request);
  });
}
