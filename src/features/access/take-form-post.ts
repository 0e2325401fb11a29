import type { RawAnswer, RawCall } from '#platform/raw-route.ts';

const utf8 = new TextDecoder('utf-8');

/**
 * Apple's answer comes as a form that its page sends from its own site. A browser leaves our cookies out of that, so
 * that the answer is only sent on to where the others arrive by themselves, with the cookies of that browser. Nobody's
 * authority is used here: whoever sends such a form could as well open the address.
 * *Source*: OAuth 2.0 Form Post Response Mode; Apple, "Sign in with Apple REST API".
 */
export function takeFormPost({ params, bytes }: RawCall): RawAnswer {
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
