import { ownPath } from '#kernel/own-path.ts';
import type { App } from '#platform/app.ts';
import { beginJourney } from '#platform/oauth-journey.ts';
import type { BrowserNote } from '#platform/routes.ts';
import { findSignInServer } from './find-sign-in-server.ts';
import { type Luggage, problemAddress, redirectUriOf, signInPurpose } from './rules/provider-return.ts';
import type { SignInProvider } from './rules/sign-in-providers.ts';

/** The address at the provider where somebody signs in, or ours that says why not. */
export async function startProviderSignIn(
  app: App,
  note: BrowserNote,
  request: {
    provider: SignInProvider;
    from?: string | undefined;
    timezone?: string | undefined;
    setup?: string | undefined;
  },
): Promise<string> {
  const { provider } = request;
  const found = await findSignInServer(app, provider);
  if (found === null) return problemAddress('NOT_CONFIGURED', provider, false);
  return beginJourney(app, note, found.client(), {
    purpose: signInPurpose(provider),
    redirectUri: redirectUriOf(app.config.publicUrl, provider),
    scopes: found.scopes,
    luggage: JSON.stringify({
      from: ownPath(request.from),
      zone: request.timezone ?? null,
      setup: request.setup ?? null,
    } satisfies Luggage),
  });
}
