import { demandRecentProof } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { beginJourney } from '#platform/oauth-journey.ts';
import type { BrowserNote } from '#platform/routes.ts';
import { findSignInServer } from './find-sign-in-server.ts';
import { linkPurpose, redirectUriOf } from './rules/provider-return.ts';
import { type SignInProvider, signInServices } from './rules/sign-in-providers.ts';

/**
 * The address at the provider where this person shows which identity is theirs. Only somebody who has just proved who
 * they are gets it, and by POST: another site cannot send them there.
 * *Errors*: AppError forbidden (REAUTHENTICATE), unavailable (NOT_CONFIGURED).
 */
export async function startLinking(
  app: App,
  actor: Actor,
  note: BrowserNote,
  provider: SignInProvider,
): Promise<{ url: string }> {
  demandRecentProof(actor);
  const found = await findSignInServer(app, provider);
  if (found === null) {
    throw new AppError(
      'unavailable',
      'NOT_CONFIGURED',
      `${signInServices[provider]} is not set up on this server. Its operator has to register it there first; docs/providers.md says how.`,
    );
  }
  const url = await beginJourney(app, note, found.client(), {
    purpose: linkPurpose(provider, actor),
    redirectUri: redirectUriOf(app.config.publicUrl, provider),
    scopes: found.scopes,
    luggage: '',
  });
  return { url };
}
