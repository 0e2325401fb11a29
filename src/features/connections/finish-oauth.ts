import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { endJourney } from '#platform/oauth-journey.ts';
import { OAuthError } from '#platform/oauth-server.ts';
import { type BrowserNote, outcomeSeconds } from '#platform/routes.ts';
import { type OAuthProviderName, oauthServices } from '#providers/registry.ts';
import { findOAuthAccess } from './find-oauth-access.ts';
import { keepGrant } from './keep-grant.ts';
import { clientFailure } from './rules/grant-failures.ts';
import { journeyPurpose, type Luggage, redirectUriOf, returnAddress, withOutcome } from './rules/oauth-return.ts';

/**
 * Takes in a browser that comes back from a provider, and gives the page to show with how it went. Whatever is wrong,
 * the person is told there; the log has one line, which holds neither code nor state.
 */
export async function finishOAuth(
  app: App,
  actor: Actor,
  note: BrowserNote,
  { provider, parameters }: { provider: OAuthProviderName; parameters: URLSearchParams },
): Promise<string> {
  const { publicUrl } = app.config;
  const service = oauthServices[provider];
  let returnUrl = returnAddress(undefined, app.config) ?? publicUrl;
  const failed = (message: string) => {
    note.leave(message, outcomeSeconds, 'outcome');
    return withOutcome(returnUrl, { connected: provider, status: 'error', message });
  };
  try {
    const arrival = await endJourney(app, note, [journeyPurpose(provider, actor.userId)], parameters);
    const luggage = JSON.parse(arrival.luggage) as Luggage;
    returnUrl = luggage.returnUrl;
    const { profile, accountId } = luggage;
    const access = await findOAuthAccess(app, { provider, profile });
    if (access === null) throw new OAuthError('client', 'NO_CLIENT', `${service} is not set up on this server.`);
    const { grant, identity } = await arrival.finish(access.client, redirectUriOf(publicUrl, provider));
    const { incomplete } = await keepGrant(app, actor.userId, { provider, profile, accountId }, access, {
      grant,
      identity,
    });
    if (incomplete !== null) return failed(incomplete);
    return withOutcome(returnUrl, { connected: provider, status: 'success' });
  } catch (error) {
    if (error instanceof AppError) {
      app.log.info({ provider, code: error.code }, 'an account was not connected');
      return failed(error.message);
    }
    if (!(error instanceof OAuthError)) throw error;
    app.log.warn({ provider, fault: error.fault, code: error.code, err: error.cause }, 'an account was not connected');
    return failed(messageOf(service, error));
  }
}

function messageOf(service: string, error: OAuthError): string {
  switch (error.fault) {
    case 'grant':
      return error.code === 'access_denied'
        ? `You did not give Holdfast access to ${service}. Nothing was connected; start again whenever you like.`
        : `${service} did not give access (${error.code}). Nothing was connected: start again.`;
    case 'client':
      return clientFailure(service, error.code).message;
    case 'refused':
      return 'This sign-in was begun elsewhere, or too long ago. Nothing was changed: start again.';
    case 'transient':
      return `${service}'s sign-in service did not answer as expected. Nothing was connected: try again in a moment.`;
  }
}
