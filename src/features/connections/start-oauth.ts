import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { beginJourney } from '#platform/oauth-journey.ts';
import type { BrowserNote } from '#platform/routes.ts';
import { type OAuthProviderName, oauthServices } from '#providers/registry.ts';
import { demandRoom } from './demand-room.ts';
import { findOAuthAccess } from './find-oauth-access.ts';
import { journeyPurpose, type Luggage, redirectUriOf, returnAddress } from './rules/oauth-return.ts';
import { findConnection } from './store/connections.ts';

/** The address at the provider where this person gives access to a calendar account. *Errors*: also as `demandRoom`. */
export async function startOAuth(
  app: App,
  actor: Actor,
  note: BrowserNote,
  request: { provider: OAuthProviderName; returnUrl?: string | undefined; accountId?: string | undefined },
): Promise<string> {
  const { provider } = request;
  const returnUrl = returnAddress(request.returnUrl, app.config);
  if (returnUrl === null) {
    throw new AppError(
      'invalid',
      'FOREIGN_RETURN',
      `The way back has to begin with ${app.config.publicUrl}: open Holdfast there, then connect.`,
    );
  }
  const known = request.accountId === undefined ? null : await findConnection(app.db, actor, request.accountId);
  if (request.accountId !== undefined && (known === null || known.provider !== provider)) {
    throw new AppError('not-found', 'NOT_FOUND', 'There is no such account.');
  }
  const profile = known?.profile ?? 'generic';
  const access = await findOAuthAccess(app, { provider, profile });
  if (access === null) throw new AppError('unavailable', 'NOT_CONFIGURED', notConfigured(provider, profile));
  // nobody gives their consent there for nothing; whoever adds one meanwhile is met when this one is kept
  if (known === null) await inTransaction(app.db, (tx) => demandRoom(app, tx, actor.userId));
  return beginJourney(app, note, access.client, {
    purpose: journeyPurpose(provider, actor.userId),
    redirectUri: redirectUriOf(app.config.publicUrl, provider),
    scopes: access.scopes,
    loginHint: known?.addresses[0],
    luggage: JSON.stringify({ returnUrl, profile, accountId: known?.id ?? null } satisfies Luggage),
  });
}

function notConfigured(provider: OAuthProviderName, profile: string): string {
  return profile === 'simulated'
    ? 'Simulated accounts are switched off on this server. Nothing was changed.'
    : `${oauthServices[provider]} is not set up on this server. Its operator has to register it there first; docs/providers.md says how.`;
}
