import { loadOwner } from '#features/accounts/public.ts';
import { openChannelSimulation } from '#features/simulation/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { CredentialId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { simulatedKinds } from '../rules/credential.ts';
import { connectCredential } from './connect-credential.ts';
import { serviceOf } from './open-credential.ts';

/** Connects an account that nobody has, at an emulated service. *Errors*: AppError not-found where those are off. */
export async function simulateCredential(
  app: App,
  actor: Actor,
  kind: (typeof simulatedKinds)[number],
): Promise<CredentialId> {
  const simulation = await openChannelSimulation(app, serviceOf[kind]!.name);
  if (simulation === null) throw new AppError('not-found', 'NOT_FOUND', 'There is nothing here.');
  const { name } = await loadOwner(app.db, actor.userId);
  const { account, token, place } = await simulation.addAccount(name);
  const given = {
    twilio: {
      kind: 'twilio',
      account_sid: account,
      auth_token: token,
      sender: place,
      country: null,
      monthly_cap: 100,
    },
    'slack-bot': { kind: 'slack-bot', token, channel: place },
    hubspot: { kind: 'hubspot', token },
  } as const;
  const { id } = await connectCredential(app, actor, given[kind], true);
  simulation.callAt(account, `${app.config.publicUrl}/hooks/twilio/${id}/inbound`);
  return id;
}
