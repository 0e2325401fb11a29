import { redirect } from '@tanstack/react-router';
import { accessContract } from '#features/access/contract.ts';
import { signInProviderOf } from '#features/access/rules/sign-in-providers.ts';
import type { Output } from '#kernel/contract.ts';
import { ApiError, createClient } from '#kernel/contract-client.ts';
import { ownPath } from '#kernel/own-path.ts';
import { type GuardInput, HOME } from './guards.ts';

const api = createClient(accessContract);

type SignedIn = Output<typeof accessContract.exchangeSignIn>;

/** A token works once, and a navigation may be begun twice. */
const exchanges = new Map<string, Promise<SignedIn>>();

/**
 * A browser that comes back from a provider (`/?token=…&provider=…`): exchanges the token, and goes on to the page that
 * was wanted, to the second factor, or to the sign-in page with what was wrong. The token stays in no history.
 */
export async function enterFromProvider({ context, location }: GuardInput): Promise<void> {
  const search = location.search as Record<string, unknown>;
  const token = String(search.token);
  const provider = signInProviderOf(search.provider);
  const from = ownPath(search.from);
  const going = provider && (exchanges.get(token) ?? api.exchangeSignIn({ body: { token, provider } }));
  if (going !== undefined) exchanges.set(token, going);
  const answer = await going?.catch((error: unknown) => error);
  if (!isSignedIn(answer)) {
    const problem = answer instanceof ApiError ? (answer.code ?? 'OTHER') : 'OTHER';
    // To have the mail sent again that confirms it; in no address.
    const email = answer instanceof ApiError ? answer.fields.email : undefined;
    const search = { problem, provider, from: from ?? undefined };
    redirect({ throw: true, to: '/login', search, state: { email }, replace: true });
    return;
  }
  if (answer.next === null) {
    // What somebody else saw here before, and that nobody was signed in.
    context.queryClient.removeQueries();
    redirect({ throw: true, href: from ?? HOME, replace: true });
  }
  const to = answer.next === 'MFA_ENROLL' ? '/mfa/enroll' : '/mfa/verify';
  const challenge = answer.session ?? undefined;
  redirect({ throw: true, to, search: { from: from ?? undefined }, state: { challenge }, replace: true });
}

const isSignedIn = (answer: unknown): answer is SignedIn =>
  typeof answer === 'object' && answer !== null && 'next' in answer;
