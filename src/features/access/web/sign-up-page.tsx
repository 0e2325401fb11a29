import { Link, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accessContract } from '#features/access/contract.ts';
import { ApiError, errorCodeOf } from '#kernel/contract-client.ts';
import { ActionButton } from '#ui/button.tsx';
import { CheckYourEmail } from './check-your-email.tsx';
import { EmailField } from './email-field.tsx';
import styles from './guest-form.module.css';
import { GuestFrame } from './guest-frame.tsx';
import type { SignUpSearch } from './guest-search.ts';
import { NewPasswordFields, useNewPassword } from './new-password.tsx';
import { ClosedProviders, ProviderButtons } from './provider-buttons.tsx';
import { useSignUp } from './queries.ts';
import { Refusal } from './refusal.tsx';
import { ResendVerification } from './resend-verification.tsx';
import { TextWithEmail } from './text-with-email.tsx';

export function SignUpPage() {
  const { t } = useTranslation();
  const { from, setup }: SignUpSearch = useSearch({ strict: false });
  const signUp = useSignUp();
  const [email, setEmail] = useState('');
  const entry = useNewPassword();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (signUp.isPending || !entry.agrees()) return;
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    signUp.mutate({ email, password: entry.password, timezone, setup });
  };

  if (signUp.data) return <VerificationSent email={email} mailAt={signUp.data.mailAt} />;
  const code = errorCodeOf(accessContract.signup, signUp.error);
  const weak = code === 'WEAK_PASSWORD' && signUp.error ? signUp.error.message : null;
  return (
    <GuestFrame
      title={t('access.signUp.title')}
      text={setup === undefined ? t('access.signUp.text') : t('access.signUp.setUp')}
      other={
        <>
          {t('access.signUp.haveAccount')}{' '}
          <Link to="/login" search={{ from } as never}>
            {t('access.signUp.signIn')}
          </Link>
        </>
      }
    >
      <div className={styles.stack}>
        <ProviderButtons purpose="signUp" from={from} setup={setup} />
        <form className={styles.form} onSubmit={submit}>
          {signUp.error && !weak ? (
            <Refusal>
              <SignUpRefusal error={signUp.error} />
            </Refusal>
          ) : null}
          <EmailField value={email} onChange={setEmail} />
          <NewPasswordFields entry={entry} label={t('access.password')} weak={weak} />
          <ActionButton fullWidth pending={signUp.isPending} pendingLabel={t('access.signUp.pending')}>
            {t('access.signUp.action')}
          </ActionButton>
        </form>
        <ClosedProviders purpose="signUp" />
      </div>
    </GuestFrame>
  );
}

function VerificationSent({ email, mailAt }: { email: string; mailAt: string | null }) {
  const { t } = useTranslation();
  return (
    <CheckYourEmail
      email={email}
      mailAt={mailAt}
      text={<TextWithEmail text="access.signUp.sent" email={email} />}
      otherwise={
        <>
          {t('access.checkEmail.nothing')} <ResendVerification email={email} label={t('access.resend.orAgain')} />
        </>
      }
    />
  );
}

function SignUpRefusal({ error }: { error: Error }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiError) || error.status === 0) return t('access.signUp.unreachable');
  if (error.code === 'EMAIL_EXISTS') return t('access.signUp.emailExists');
  if (error.status === 409) return error.message || t('access.signUp.emailTaken');
  return error.message === 'Request failed' ? t('access.signUp.failed') : error.message;
}
