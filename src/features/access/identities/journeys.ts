import { randomUUIDv7 } from 'node:crypto';
import { lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { endLastingAccess, endSessions } from '#features/accounts/sessions/public.ts';
import { requireSignUpAllowed } from '#features/accounts/settings/public.ts';
import { claimUnconfirmed, confirmAddress, createUser } from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { IdentityId, UserId } from '#kernel/ids.ts';
import { ownPath } from '#kernel/own-path.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken, isSameSecret, mintToken } from '#platform/crypto.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import { beginJourney, endJourney } from '#platform/oauth-journey.ts';
import { OAuthError, type OAuthFault } from '#platform/oauth-server.ts';
import type { RawAnswer, RawCall } from '#platform/raw-route.ts';
import { noMoreMails } from '#platform/recipients.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';
import { spendOnce } from '#platform/spend-once.ts';
import type { accessContract } from '../contract.ts';
import { sendMailCode } from '../mail-codes.ts';
import { type Arrived, type HandedOver, handOverPurpose, handOverSeconds } from '../rules/handed-over.ts';
import { returnsPerNetwork, signUpsPerNetwork } from '../rules/limits.ts';
import { type ProviderPerson, providerPersonOf } from '../rules/provider-person.ts';
import {
  type JourneyState,
  linkedAddress,
  linkPurpose,
  problemAddress,
  type ReturnProblem,
  redirectUriOf,
  returnProblems,
  signInPurpose,
  tokenAddress,
} from '../rules/provider-return.ts';
import { type SignInProvider, signInServices } from '../rules/sign-in-providers.ts';
import { chooseRole, rememberSignUp } from '../sign-in/registration.ts';
import { finishSignIn, requireOpenAccount } from '../sign-in/sign-in.ts';
import { deleteIdentitiesOf, findIdentityOwner, insertIdentity } from '../store/identities.ts';
import { deleteMailCodes } from '../store/mail-codes.ts';
import { deletePassword } from '../store/passwords.ts';
import { linkIdentity } from './identities.ts';
import { getSignInServer } from './servers.ts';

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
  try {
    const found = await getSignInServer(app, note, provider);
    return await beginJourney(app, note, found.client(), {
      purpose: signInPurpose(provider),
      redirectUri: redirectUriOf(app.config.publicUrl, provider),
      scopes: found.scopes,
      luggage: JSON.stringify({
        from: ownPath(request.from),
        zone: request.timezone ?? null,
        setup: request.setup ?? null,
      } satisfies JourneyState),
    });
  } catch (error) {
    return problemAddress(whatWentWrong(error).problem, provider, false);
  }
}

const utf8 = new TextDecoder('utf-8');

/**
 * Apple's answer comes as a form that its page sends from its own site. A browser leaves our cookies out of that, so
 * that the answer is only sent on to where the others arrive by themselves, with the cookies of that browser. Nobody's
 * authority is used here: whoever sends such a form could as well open the address.
 * *Source*: OAuth 2.0 Form Post Response Mode; Apple, "Sign in with Apple REST API".
 */
export function forwardFormPost({ params, bytes }: RawCall): RawAnswer {
  if (params.provider !== 'apple') return { status: 404 };
  const form = new URLSearchParams(utf8.decode(bytes));
  const kept = new URLSearchParams();
  for (const name of ['state', 'code', 'iss', 'error']) {
    // sent twice, it is left out: endJourney misses it
    const [value, ...more] = form.getAll(name);
    if (value !== undefined && more.length === 0) kept.set(name, value.slice(0, 2_000));
  }
  const location = `/auth/oauth/apple/callback?${kept.toString()}`;
  return { status: 303, headers: { location, 'cache-control': 'no-store' } };
}

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
    const found = await getSignInServer(app, note, provider);
    const { identity } = await arrival.finish(found.client(), redirectUriOf(app.config.publicUrl, provider));
    const person = providerPersonOf(provider, identity, found.isSimulated);
    if (actor !== null && arrival.purpose === linkPurpose(provider, actor)) {
      await linkIdentity(app, actor, person, request);
      return linkedAddress(provider);
    }
    const luggage = JSON.parse(arrival.luggage) as JourneyState;
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

/**
 * Leaves who came back with their browser, sealed, and gives the token that opens it: once, within a minute, and only in
 * that browser. An address may show it, since without the note it is worth nothing; so there is no row either.
 */
function handOver(app: Pick<App, 'clock'>, note: BrowserNote, arrived: Arrived): string {
  const token = mintToken();
  const kept: HandedOver = {
    ...arrived,
    purpose: handOverPurpose(arrived.person.provider),
    token: hashToken(token).toString('base64url'),
    expiresMs: app.clock.nowMs() + handOverSeconds * 1000,
  };
  note.leave(JSON.stringify(kept), handOverSeconds);
  return token;
}

/**
 * The person who came back from this provider in this browser, for the token that `handOver` gave.
 * *Errors*: AppError gone (`SIGN_IN_ENDED`): another browser's, another provider's, an old one, or used before.
 */
async function takeOver(
  app: Pick<App, 'db' | 'clock'>,
  note: BrowserNote,
  { token, provider }: { token: string; provider: SignInProvider },
): Promise<Arrived> {
  const text = note.take();
  const kept = text === null ? null : (JSON.parse(text) as HandedOver);
  const isGood =
    kept !== null &&
    kept.purpose === handOverPurpose(provider) &&
    isSameSecret(kept.token, hashToken(token).toString('base64url')) &&
    kept.expiresMs > app.clock.nowMs() &&
    (await spendOnce(app.db, token));
  if (!isGood) {
    throw new AppError(
      'gone',
      'SIGN_IN_ENDED',
      'This sign-in has expired or was started in another browser. Start again.',
    );
  }
  const { person, luggage } = kept;
  return { person, luggage };
}

type Exchange = typeof accessContract.exchangeSignIn;

/**
 * Gives whoever came back from a provider what any sign-in gives: a session, or what is still asked for. They are
 * recognised by issuer and subject alone; who is not gets an account, if nobody has one with their address.
 * *Errors*: AppError gone (SIGN_IN_ENDED), conflict (EMAIL_EXISTS), invalid (NO_EMAIL), forbidden (ACCOUNT_LEAVING,
 * SET_UP_ENDED; EMAIL_NOT_VERIFIED, with the address in `fields.email`), limited.
 */
export async function exchangeSignIn(
  app: App,
  note: BrowserNote,
  body: Input<Exchange>['body'],
  request: RequestFacts,
): Promise<Output<Exchange>> {
  const { person, luggage } = await takeOver(app, note, body);
  const answer = await inTransaction(app.db, async (tx) => {
    const userId = (await findIdentityOwner(tx, person)) ?? (await signUpByIdentity(app, tx, person, luggage, request));
    const user = await lockUser(tx, userId);
    if (user === null) throw new Error(`an identity of nobody: ${userId}`);
    requireOpenAccount(user);
    // The new account stays and waits for its address to be confirmed.
    if (user.email_verified_at === null) return { waitsFor: user.email, userId };
    return finishSignIn(tx, user, { method: person.provider, secondFactor: false, door: 'user', request });
  });
  if (!('waitsFor' in answer)) return answer;
  rememberSignUp(note, answer.userId);
  throw new AppError(
    'forbidden',
    'EMAIL_NOT_VERIFIED',
    `${signInServices[person.provider]} couldn't confirm that this address is yours. Open the link we sent there, then sign in.`,
    { fields: { email: answer.waitsFor } },
  );
}

/**
 * An account for somebody whom a provider vouches for; gives its id. It never touches an account whose address is
 * confirmed: the address alone proves nothing ("nOAuth"). An unconfirmed account gives way to the owner of its address.
 * An address that the provider does not vouch for is confirmed by mail first.
 * *Errors*: AppError conflict (EMAIL_EXISTS), invalid (NO_EMAIL), forbidden (SET_UP_ENDED), limited.
 */
async function signUpByIdentity(
  app: App,
  tx: Tx,
  person: ProviderPerson,
  luggage: JourneyState,
  request: RequestFacts,
): Promise<UserId> {
  const service = signInServices[person.provider];
  const email = person.email === null ? null : canonicalEmail(person.email);
  if (email === null) {
    throw new AppError(
      'invalid',
      'NO_EMAIL',
      `${service} didn't share your email address. Sign up with your address, then link ${service} under Security.`,
    );
  }
  await takeNetworkAllowance(tx, signUpsPerNetwork, request.ip);
  const id = randomUUIDv7() as UserId;
  const role = await chooseRole(app, tx, luggage.setup ?? undefined);
  if (role === 'user') await requireSignUpAllowed(tx, email);
  const user = await createUser(tx, {
    id,
    email,
    zone: luggage.zone ?? undefined,
    locale: request.tongue?.locale,
    role,
  });
  if (user === null) {
    // Two windows at once: by now it is theirs.
    const owner =
      (await findIdentityOwner(tx, person)) ??
      (person.isEmailProven && role === 'user'
        ? await claimAccount(app, tx, person, { email, luggage, request })
        : null);
    if (owner !== null) return owner;
    throw new AppError(
      'conflict',
      'EMAIL_EXISTS',
      `This address already has an account. Sign in with your password, then link ${service} under Security.`,
    );
  }
  await insertIdentity(tx, { id: randomUUIDv7() as string as IdentityId, userId: id, person });
  await recordAccountEvent(tx, { userId: id, kind: 'signed-up', request, details: { method: person.provider } });
  if (person.isEmailProven) await confirmAddress(tx, id, email);
  else if (!(await sendMailCode(app, tx, id, 'verify'))) throw noMoreMails();
  return id;
}

/**
 * The unconfirmed account of an address that a provider has proved, without what its maker left there: they may have
 * been a stranger (decision 0109). Null where the address is confirmed.
 */
async function claimAccount(
  app: App,
  tx: Tx,
  person: ProviderPerson,
  { email, luggage, request }: { email: string; luggage: JourneyState; request: RequestFacts },
): Promise<UserId | null> {
  const reading = { zone: luggage.zone ?? undefined, locale: request.tongue?.locale };
  const id = await claimUnconfirmed(tx, { email, ...reading });
  const user = id && (await lockUser(tx, id));
  if (!user) return null;
  await deletePassword(tx, user.id);
  await deleteIdentitiesOf(tx, user.id);
  await deleteMailCodes(tx, user.id);
  await endSessions(tx, user.id);
  await endLastingAccess(app, tx, user, request);
  await insertIdentity(tx, { id: randomUUIDv7() as string as IdentityId, userId: user.id, person });
  await recordAccountEvent(tx, { userId: user.id, kind: 'email-verified', request });
  return user.id;
}
