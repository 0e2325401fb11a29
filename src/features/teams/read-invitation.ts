import { findHost } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import type { teamsContract } from './contract.ts';
import { findByToken } from './store/invitations.ts';

/** What a mailed link leads to. *Errors*: AppError not-found, for whatever has been taken, withdrawn, sent anew or is over. */
export async function readInvitation(
  { db }: Pick<App, 'db'>,
  token: string,
): Promise<Output<typeof teamsContract.readInvitation>> {
  const found = await findByToken(db, hashToken(token));
  if (found === null)
    throw new AppError(
      'not-found',
      'NOT_FOUND',
      'This invitation has been answered or withdrawn, its time is over, or a newer one was sent. Ask for another one.',
    );
  const { id, team, logoUrl, role, invitedBy, email, expiresMs } = found;
  const inviter = invitedBy === null ? null : await findHost(db, invitedBy);
  return { id, team, logo_url: logoUrl, role, invited_by: inviter?.name ?? null, email, expires_at: expiresMs };
}
