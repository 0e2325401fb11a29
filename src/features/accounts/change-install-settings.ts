import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { accountsContract } from './contract.ts';
import { demandRecentProof } from './demand-recent-proof.ts';
import { readInstallSettings } from './read-install-settings.ts';
import { recordAccountEvent } from './record-account-event.ts';
import { recordAct } from './record-act.ts';
import { readAddressList } from './rules/address-list.ts';
import { updateSettings } from './store/settings.ts';

type Change = typeof accountsContract.changeInstallSettings;

/** Keys that are not given stay. Every session is asked anew with its next request. *Errors*: as `demandRecentProof`. */
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
      'Each is an address or a domain as @example.org. Nothing was changed.',
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
    return readInstallSettings({ db: tx });
  });
}
