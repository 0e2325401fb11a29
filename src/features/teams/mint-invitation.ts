import { randomUUIDv7 } from 'node:crypto';
import { findUser, listReadersHere } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { TeamId, TeamInvitationId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import type { Tx } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { invitationMail } from './mail.ts';
import type { GivenRole } from './rules/permissions.ts';
import { saveInvitation } from './store/invitations.ts';

/** Whoever invites can neither flood an address nor write to the whole town. */
const perInviter = { action: 'invitation to a team, inviter', burst: 60, periodSeconds: 86_400 };
const perAddress = { action: 'invitation to a team, address', burst: 6, periodSeconds: 86_400 };

/** An invitation with a new link, mailed; the one before to this address is void. *Errors*: AppError limited. */
export async function mintInvitation(
  app: Pick<App, 'config' | 'mail'>,
  tx: Tx,
  { userId }: Actor,
  to: { team: { id: TeamId; name: string }; email: string; role: GivenRole },
): Promise<void> {
  await takeAllowance(tx, perInviter, userId);
  await takeAllowance(tx, perAddress, to.email);
  const inviter = await findUser(tx, userId);
  if (inviter === undefined) throw new Error(`no account ${userId}`);
  const token = mintToken();
  const id = randomUUIDv7() as TeamInvitationId;
  const tokenHash = hashToken(token);
  const { email, role, team } = to;
  const invitation = await saveInvitation(tx, { id, teamId: team.id, email, role, tokenHash, invitedBy: userId });
  const isReaderHere = (await listReadersHere(tx, [email])).size > 0;
  const mail = invitationMail(app.config, { invitation, tokenHash, token, team: team.name, inviter, isReaderHere });
  if (!(await app.mail.send(tx, mail)))
    throw new AppError(
      'limited',
      'LIMITED',
      'This address gets no more emails from here today. The invitation was not sent.',
      {
        retryAfterMs: 86_400_000,
      },
    );
}
