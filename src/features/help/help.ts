import { randomUUID } from 'node:crypto';
import { loadOwner } from '#features/accounts/public.ts';
import { listPolicies } from '#features/availability/public.ts';
import { listTypesOf } from '#features/booking/public.ts';
import { listConnections } from '#features/connections/public.ts';
import { hasMirroring } from '#features/sync/public.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { helpContract } from './contract.ts';
import { supportMail } from './mail.ts';
import { findFirstSteps } from './store.ts';

/** Enough for a person with a problem, too few for a script. */
const messagesPerPerson = { action: 'message to support, account', burst: 5, periodSeconds: 3_600 };

/** Progress with the first steps, derived from existing data. Only steps without any other trace are stored. */
export async function getFirstSteps(
  { db }: Pick<App, 'db'>,
  userId: UserId,
): Promise<Output<typeof helpContract.readFirstSteps>> {
  const [connections, mirrored, policies, types, noted] = await Promise.all([
    listConnections(db, userId),
    hasMirroring(db, userId),
    listPolicies(db, userId),
    listTypesOf(db, { userId, teamId: null }),
    findFirstSteps(db, userId),
  ]);
  return {
    connected: connections.some(({ provider }) => provider !== 'holdfast'),
    mirrored,
    hours: policies.length > 0,
    link: types.length > 0,
    ...noted,
  };
}

/** Mails a message to the operator. *Errors*: AppError conflict (NO_SUPPORT) without an operator address, limited. */
export async function askSupport(
  app: Pick<App, 'db' | 'config' | 'mail'>,
  userId: UserId,
  { message, diagnostics }: { message: string; diagnostics?: string | undefined },
): Promise<{ sent: true }> {
  const { contact } = app.config.operator;
  if (contact === undefined)
    throw new AppError('conflict', 'NO_SUPPORT', 'No contact address is set up on this server. Nothing was sent.');
  await takeAllowance(app.db, messagesPerPerson, userId);
  const { email: from, name, locale } = await loadOwner(app.db, userId);
  const site = new URL(app.config.publicUrl).host;
  const mail = supportMail({ id: randomUUID(), to: contact, from, name, locale, site, message, diagnostics });
  await inTransaction(app.db, (tx) => app.mail.send(tx, mail));
  return { sent: true };
}

/** The stored part of a user's first steps. */
export function exportFirstSteps({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [jsonPart('first-steps.json', () => findFirstSteps(db, userId))];
}
