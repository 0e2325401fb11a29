import { lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import { endSessions } from '#features/accounts/sessions/public.ts';
import { addressIsTaken, confirmAddress, replaceAddress } from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { checkMailCode, codeInvalid } from './check-mail-code.ts';
import type { accessContract } from './contract.ts';
import { demandStaying } from './demand-staying.ts';
import type { Reader } from './mail.ts';
import { deleteMailCodes, spendMailCode } from './store/mail-codes.ts';
import { tellByMail } from './tell-by-mail.ts';

type Verify = typeof accessContract.verifyEmail;
type Parts = Pick<App, 'db' | 'config' | 'clock' | 'mail'>;

/**
 * Confirms the address of a sign-up, or the new one of an account, for the button on the page behind a mailed link.
 * It signs nobody in: access to a mailbox proves no more than that.
 * *Errors*: AppError invalid (CODE_INVALID), conflict (EMAIL_EXISTS), forbidden (ACCOUNT_LEAVING), limited.
 */
export async function verifyEmail(
  app: Parts,
  actor: Actor | null,
  body: Input<Verify>['body'],
  request: RequestFacts,
): Promise<Output<Verify>> {
  const given = await checkMailCode(app, body, ['verify', 'change-email'], request);
  try {
    return await inTransaction(app.db, async (tx) => {
      const user = await lockUser(tx, given.userId);
      const spent = user && (await spendMailCode(tx, given));
      if (!spent) throw codeInvalid();
      demandStaying(user);
      if (spent.purpose === 'change-email') {
        await moveAccount(app, tx, user, { email: given.email, actor, request });
        return { message: 'Your new address is confirmed. Sign in with it from now on.' };
      }
      if (!(await confirmAddress(tx, user.id, given.email))) throw codeInvalid();
      await recordAccountEvent(tx, { userId: user.id, kind: 'email-verified', request });
      return { message: 'Your address is confirmed. You can sign in now.' };
    });
  } catch (error) {
    if (!addressIsTaken(error)) throw error;
    const message = 'This address has another account by now. Yours keeps the address it has.';
    throw new AppError('conflict', 'EMAIL_EXISTS', message, { cause: error });
  }
}

/** Codes mailed to the old address become void, and every other session ends. */
async function moveAccount(
  app: Parts,
  tx: Tx,
  before: Reader,
  { email, actor, request }: { email: string; actor: Actor | null; request: RequestFacts },
): Promise<void> {
  const userId = before.id;
  await replaceAddress(tx, userId, email);
  await deleteMailCodes(tx, userId);
  await endSessions(tx, userId, { except: actor?.userId === userId ? actor.sessionId : undefined });
  await recordAccountEvent(tx, { userId, kind: 'email-changed', request, details: { from: before.email, to: email } });
  await tellByMail(app, tx, before, 'address-changed', request, { fact: 'newAddress', name: email });
}
