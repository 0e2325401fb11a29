import { randomUUIDv7 } from 'node:crypto';
import { recordAccountEvent } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { requireSignUpAllowed } from '#features/accounts/settings/public.ts';
import { confirmAddress, createUser } from '#features/accounts/users/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { IdentityId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import { noMoreMails } from '#platform/recipients.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { chooseRole } from './choose-role.ts';
import { signUpsPerNetwork } from './rules/limits.ts';
import type { ProviderPerson } from './rules/provider-person.ts';
import type { Luggage } from './rules/provider-return.ts';
import { signInServices } from './rules/sign-in-providers.ts';
import { sendMailCode } from './send-mail-code.ts';
import { findIdentityOwner, insertIdentity } from './store/identities.ts';

/**
 * An account for somebody whom a provider vouches for; gives its id. It never touches an account that is there: the
 * address alone proves nothing ("nOAuth"). An address that the provider does not vouch for is confirmed by mail first.
 * *Errors*: AppError conflict (EMAIL_EXISTS), invalid (NO_EMAIL), forbidden (SET_UP_ENDED), limited.
 */
export async function signUpByIdentity(
  app: App,
  tx: Tx,
  person: ProviderPerson,
  luggage: Luggage,
  request: RequestFacts,
): Promise<UserId> {
  const service = signInServices[person.provider];
  const email = person.email === null ? null : canonicalEmail(person.email);
  if (email === null) {
    throw new AppError(
      'invalid',
      'NO_EMAIL',
      `${service} did not tell an e-mail address, and an account needs one. Nothing was made: sign up with your address, then link ${service} under Security.`,
    );
  }
  await takeNetworkAllowance(tx, signUpsPerNetwork, request.ip);
  const id = randomUUIDv7() as UserId;
  const role = await chooseRole(app, tx, luggage.setup ?? undefined);
  if (role === 'user') await requireSignUpAllowed(tx, email);
  const user = await createUser(tx, {
    id,
    email,
    zone: luggage.zone ?? undefined,
    locale: request.tongue?.locale,
    role,
  });
  if (user === null) {
    // Two windows at once: by now it is theirs.
    const owner = await findIdentityOwner(tx, person);
    if (owner !== null) return owner;
    throw new AppError(
      'conflict',
      'EMAIL_EXISTS',
      `This address already has an account. Sign in with your password, then link ${service} under Security.`,
    );
  }
  await insertIdentity(tx, { id: randomUUIDv7() as string as IdentityId, userId: id, person });
  await recordAccountEvent(tx, { userId: id, kind: 'signed-up', request, details: { method: person.provider } });
  if (person.isEmailProven) await confirmAddress(tx, id, email);
  else if (!(await sendMailCode(app, tx, id, 'verify'))) throw noMoreMails();
  return id;
}
