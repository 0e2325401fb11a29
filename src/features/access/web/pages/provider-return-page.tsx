import { useEffect, useRef } from 'react';
import { ApiError } from '#kernel/api-error.ts';
import { signInProviderOf } from '../../rules/sign-in-providers.ts';
import { callAccess } from '../frame/call-access.ts';
import { leadsOn, type SignedIn, useComeIn } from '../frame/come-in.ts';
import { EntranceFrame } from '../frame/entrance-frame.tsx';
import { useEntrance } from '../frame/use-entrance.ts';

/**
 * Target of a browser that returns from a provider (`/?token=…&provider=…`). The page exchanges the token. It then
 * leads to the wanted page, the second factor, or the sign-in page with the failure. The token is kept out of the
 * history.
 */
export function ProviderReturnPage() {
  const { t, place, go } = useEntrance();
  const comeIn = useComeIn('user');
  const { token = '', provider: named, from } = place.search;
  const provider = signInProviderOf(named);
  const begin = useRef(async () => {
    const answer = await (provider &&
      callAccess('exchangeSignIn', { token, provider }).catch((error: unknown) => error));
    if (isSignedIn(answer) && leadsOn(answer)) {
      comeIn(answer, { replace: true });
      return;
    }
    const refusal = answer instanceof ApiError ? answer : undefined;
    const search = new URLSearchParams({ problem: refusal?.code ?? 'OTHER' });
    if (provider !== undefined) search.set('provider', provider);
    if (from !== undefined) search.set('from', from);
    // To have the mail sent again that confirms it; in no address.
    go(`/login?${search.toString()}`, { replace: true, carried: { email: refusal?.fields.email } });
  });
  // A token works once, and an effect may run twice.
  const begun = useRef(false);
  useEffect(() => {
    if (!begun.current) void begin.current();
    begun.current = true;
  }, []);
  return (
    <EntranceFrame title={t('access.signIn.title')} text={<span role="status">{t('access.signIn.pending')}</span>} />
  );
}

const isSignedIn = (answer: unknown): answer is SignedIn =>
  typeof answer === 'object' && answer !== null && 'next' in answer;
