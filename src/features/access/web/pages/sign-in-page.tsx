import { useState } from 'react';
import { Banner } from '#ui/banner.tsx';
import { EntranceFrame } from '../frame/entrance-frame.tsx';
import { EntranceLink } from '../frame/entrance-link.tsx';
import styles from '../frame/guest-form.module.css';
import { useEntrance } from '../frame/use-entrance.ts';
import { PasskeyButton } from '../passkeys/passkey-button.tsx';
import { ClosedProviders, ProviderButtons } from '../providers/provider-buttons.tsx';
import { readProviderOutcome } from '../providers/provider-outcome.ts';
import { ProviderProblem } from '../providers/provider-problem.tsx';
import { ResendVerification } from './resend-verification.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage() {
  const { t, place } = useEntrance();
  const { from } = place.search;
  const { notice, email, isFirst } = place.carried;
  // After a try on this page, the notice of the previous page is outdated.
  const [hasTried, setTried] = useState(false);
  return (
    <EntranceFrame
      title={t(isFirst ? 'access.signIn.first' : 'access.signIn.title')}
      text={t('access.signIn.text')}
      other={
        <>
          {t('access.signIn.noAccount')}{' '}
          <EntranceLink to="/signup" from={from}>
            {t('access.signIn.signUp')}
          </EntranceLink>
        </>
      }
    >
      <div className={styles.stack}>
        {notice && !hasTried ? (
          <Banner state="ok" role="status">
            {notice}
          </Banner>
        ) : null}
        <ProviderProblem
          t={t}
          outcome={readProviderOutcome(place.search)}
          resend={email === undefined ? null : <ResendVerification email={email} label={t('access.resend.action')} />}
        />
        <ProviderButtons purpose="signIn" from={from} />
        <SignInForm door="user" onTry={() => setTried(true)} />
        <PasskeyButton door="user" />
        <ClosedProviders purpose="signIn" />
      </div>
    </EntranceFrame>
  );
}
