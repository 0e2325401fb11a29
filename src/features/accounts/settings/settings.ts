import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { recordAccountEvent } from '../audit/account-log.ts';
import { recordAct } from '../audit/audit.ts';
import type { accountsContract } from '../contract.ts';
import { readAddressList } from '../rules/address-list.ts';
import { maySignUp } from '../rules/sign-up.ts';
import { demandRecentProof } from '../sessions/authentication.ts';
import { getSignUpPolicy, listBlocked, requiresAdminMfa, updateSettings } from '../store/settings.ts';

export async function getInstallSettings({
  db,
}: Pick<App, 'db'>): Promise<Output<typeof accountsContract.readInstallSettings>> {
  const [requireAdminMfa, { policy, allowed }, blockedGuests] = await Promise.all([
    requiresAdminMfa(db),
    getSignUpPolicy(db),
    listBlocked(db),
  ]);
  return { requireAdminMfa, signUp: policy, signUpAllowed: allowed, blockedGuests };
}

type Change = typeof accountsContract.changeInstallSettings;

/**
 * Changes the given settings; the others stay. Every session is checked again at its next request. *Errors*: as
 * `demandRecentProof`.
 */
export async function changeInstallSettings(
  app: Pick<App, 'db'>,
  actor: Actor,
  { requireAdminMfa, signUp, signUpAllowed, blockedGuests, reason }: Input<Change>['body'],
  request: RequestFacts,
): Promise<Output<Change>> {
  demandRecentProof(actor);
  const invited = signUpAllowed && readAddressList(signUpAllowed);
  const blocked = blockedGuests && readAddressList(blockedGuests);
  if (invited === null || blocked === null)
    throw new AppError(
      'invalid',
      'INVALID_INPUT',
      'Enter email addresses or domains such as @example.org. Nothing was changed.',
    );
  return inTransaction(app.db, async (tx) => {
    await updateSettings(tx, {
      require_admin_mfa: requireAdminMfa,
      sign_up: signUp,
      sign_up_allowed: invited,
      blocked_guests: blocked,
    });
    if (blocked !== undefined) {
      await recordAct(tx, {
        actorId: actor.userId,
        action: 'settings_change',
        subject: { kind: 'setting', id: 'blockedGuests' },
        reason,
        request,
        details: { blocked: blocked.length },
      });
    }
    if (signUp !== undefined || signUpAllowed !== undefined) {
      await recordAct(tx, {
        actorId: actor.userId,
        action: 'settings_change',
        subject: { kind: 'setting', id: 'signUp' },
        reason,
        request,
        details: {
          ...(signUp === undefined ? {} : { signUp }),
          ...(signUpAllowed === undefined ? {} : { invited: signUpAllowed.length }),
        },
      });
    }
    if (requireAdminMfa !== undefined) {
      await recordAccountEvent(tx, {
        userId: actor.userId,
        kind: 'install-settings-changed',
        request,
        details: { requireAdminMfa },
      });
      await recordAct(tx, {
        actorId: actor.userId,
        action: 'settings_change',
        subject: { kind: 'setting', id: 'requireAdminMfa' },
        reason,
        request,
        details: { requireAdminMfa },
      });
    }
    return getInstallSettings({ db: tx });
  });
}

/** Lets those in whom the operator lets in; says nothing about whether an address has an account. *Errors*: AppError forbidden (SIGN_UP_CLOSED). */
export async function requireSignUpAllowed(tx: Tx, email: string): Promise<void> {
  const { policy, allowed } = await getSignUpPolicy(tx);
  if (maySignUp(policy, allowed, email)) return;
  throw new AppError(
    'forbidden',
    'SIGN_UP_CLOSED',
    policy === 'closed'
      ? 'Sign-up is closed. Contact your administrator.'
      : 'Sign-up is by invitation only. Ask your administrator to invite your address.',
  );
}
