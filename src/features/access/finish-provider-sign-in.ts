import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import { endJourney } from '#platform/oauth-journey.ts';
import { OAuthError, type OAuthFault } from '#platform/oauth-server.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';
import { findSignInServer } from './find-sign-in-server.ts';
import { handOver } from './hand-over.ts';
import { linkIdentity } from './link-identity.ts';
import { returnsPerNetwork } from './rules/limits.ts';
import { providerPersonOf } from './rules/provider-person.ts';
import {
  type Luggage,
  linkedAddress,
  linkPurpose,
  problemAddress,
  type ReturnProblem,
  redirectUriOf,
  returnProblems,
  signInPurpose,
  tokenAddress,
} from './rules/provider-return.ts';
import { type SignInProvider, signInServices } from './rules/sign-in-providers.ts';

/**
 * Takes in a browser that comes back from a provider, and gives the page to show. Nobody is signed in yet: the page
 * exchanges what it gets. Whatever is wrong, the log has one line, which holds neither code nor state.
 */
export async function finishProviderSignIn(
  app: App,
  actor: Actor | null,
  note: BrowserNote,
  answer: { provider: SignInProvider; parameters: URLSearchParams; request: RequestFacts },
): Promise<string> {
  const { provider, parameters, request } = answer;
  try {
    const purposes = [signInPurpose(provider), ...(actor === null ? [] : [linkPurpose(provider, actor)])];
    const arrival = await endJourney(app, note, purposes, parameters);
    await takeNetworkAllowance(app.db, returnsPerNetwork, request.ip);
    const found = await findSignInServer(app, provider);
    if (found === null) {
      throw new OAuthError('client', 'NO_CLIENT', `${signInServices[provider]} is not set up on this server.`);
    }
    const { identity } = await arrival.finish(found.client(), redirectUriOf(app.config.publicUrl, provider));
    const person = providerPersonOf(provider, identity, found.isSimulated);
    if (actor !== null && arrival.purpose === linkPurpose(provider, actor)) {
      await linkIdentity(app, actor, person, request);
      return linkedAddress(provider);
    }
    const luggage = JSON.parse(arrival.luggage) as Luggage;
    return tokenAddress(provider, handOver(app, note, { person, luggage }), luggage.from);
  } catch (error) {
    const { problem, ...line } = whatWentWrong(error);
    app.log.info({ provider, ...line }, 'a sign-in at a provider brought nobody');
    return problemAddress(problem, provider, actor !== null);
  }
}

const problemOf: Record<OAuthFault, ReturnProblem> = {
  grant: 'REFUSED',
  client: 'REGISTRATION',
  refused: 'STALE',
  transient: 'UNREACHABLE',
};

function whatWentWrong(error: unknown): { problem: ReturnProblem; code: string; fault?: string; err?: unknown } {
  if (error instanceof OAuthError) {
    const { code, fault, cause } = error;
    return { problem: code === 'access_denied' ? 'DENIED' : problemOf[fault], code, fault, err: cause };
  }
  const problem = error instanceof AppError ? returnProblems.find((one) => one === error.code) : undefined;
  if (problem === undefined) throw error;
  return { problem, code: problem };
}
