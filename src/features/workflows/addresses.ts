import { randomInt } from 'node:crypto';
import { listReadersHere, loadOwner } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { noMoreMails, takeMail } from '#platform/recipients.ts';
import { addressMail } from './mail.ts';
import { keepCode, listConfirmed, takeCode } from './store/address-rows.ts';

/** Codes that one person sends by mail. `takeMail` also limits the mails to one address from each person. */
const perPerson = { action: 'workflow addresses per account', burst: 10, periodSeconds: 86_400 };

/** Mails a code to an address, so that its reader can agree. *Errors*: AppError invalid (INVALID_INPUT), limited. */
export async function askAddress(
  app: App,
  { userId }: Actor,
  { address }: { address: string },
): Promise<{ confirmed: boolean }> {
  const plain = canonicalEmail(address);
  if (plain === null)
    throw new AppError('invalid', 'INVALID_INPUT', 'Enter a valid email address.', {
      fields: { address: 'Enter a valid email address.' },
    });
  const owner = await loadOwner(app.db, userId);
  if (owner.email === plain || (await listConfirmed(app.db, userId, [plain])).has(plain)) return { confirmed: true };
  await takeAllowance(app.db, perPerson, userId);
  const code = randomInt(0, 1_000_000).toString().padStart(6, '0');
  await keep(app, { userId, address: plain, code, by: owner.name, locale: owner.locale });
  return { confirmed: false };
}

async function keep(
  app: App,
  { code, ...asked }: { userId: UserId; address: string; code: string; by: string; locale: string },
): Promise<void> {
  const nowMs = app.clock.nowMs();
  const { userId, address } = asked;
  await inTransaction(app.db, async (tx) => {
    await keepCode(tx, { userId, address, codeHash: hashAddressCode(userId, code), nowMs });
    const isReaderHere = (await listReadersHere(tx, [address])).size > 0;
    const hasRoom = !isReaderHere || (await takeMail(tx, address, { share: 'named', sender: userId }));
    const mail = addressMail({ ...asked, isReaderHere, code, nowMs });
    if (!(hasRoom && (await app.mail.send(tx, mail)))) throw noMoreMails();
  });
}

const codeUseMs = 3_600_000;
const mostTries = 5;

/** *Errors*: AppError invalid (`WRONG_CODE`). */
export async function confirmAddress(
  app: App,
  { userId }: Actor,
  { address, code }: { address: string; code: string },
): Promise<void> {
  const nowMs = app.clock.nowMs();
  const taken = await takeCode(app.db, {
    userId,
    address: canonicalEmail(address) ?? address,
    codeHash: hashAddressCode(userId, code),
    nowMs,
    sinceMs: nowMs - codeUseMs,
    most: mostTries,
  });
  if (!taken)
    throw new AppError('invalid', 'WRONG_CODE', "That code didn't work. Codes are valid for one hour and five tries.", {
      fields: { code: "That code didn't work." },
    });
}

/** Few tries and an hour protect the code. The hash includes the account, so another account's code never matches. */
const hashAddressCode = (userId: UserId, code: string) => hashToken(`workflow address ${userId} ${code}`);
