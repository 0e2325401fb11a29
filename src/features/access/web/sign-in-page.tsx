import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import styles from './guest-form.module.css';
import { GuestFrame } from './guest-frame.tsx';
import type { GuestSearch } from './guest-search.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { ClosedProviders, ProviderButtons } from './provider-buttons.tsx';
import { ProviderProblem } from './provider-problem.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage() {
  const { t } = useTranslation();
  const { from }: GuestSearch = useSearch({ strict: false });
  const notice = useLocation({ select: ({ state }) => state.notice });
  // What was done on the page before is old news beside what became of a try on this one.
  const [hasTried, setTried] = useState(false);
  return (
    <GuestFrame
      title={t('access.signIn.title')}
      text={t('access.signIn.text')}
      other={
        <>
          {t('access.signIn.noAccount')}{' '}
          <Link to="/signup" search={{ from } as never}>
            {t('access.signIn.signUp')}
          </Link>
        </>
      }
    >
      <div className={styles.stack}>
        {notice && !hasTried ? (
          <Banner state="ok" role="status">
            {notice}
          </Banner>
        ) : null}
        <ProviderProblem />
        <ProviderButtons purpose="signIn" from={from} />
        <SignInForm door="user" onTry={() => setTried(true)} />
        <PasskeyButton door="user" />
        <ClosedProviders purpose="signIn" />
      </div>
    </GuestFrame>
  );
}
