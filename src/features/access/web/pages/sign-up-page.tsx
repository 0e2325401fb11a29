import { type FormEvent, useRef } from 'react';
import { ApiError } from '#kernel/api-error.ts';
import { ActionButton } from '#ui/button.tsx';
import { callAccess, codeOf, useAct } from '../frame/call-access.ts';
import { EmailField } from '../frame/email-field.tsx';
import { EntranceFrame } from '../frame/entrance-frame.tsx';
import { EntranceLink } from '../frame/entrance-link.tsx';
import styles from '../frame/guest-form.module.css';
import { Refusal } from '../frame/refusal.tsx';
import { TextWithEmail } from '../frame/text-with-email.tsx';
import { afterMail, useEntrance } from '../frame/use-entrance.ts';
import { ClosedProviders, ProviderButtons } from '../providers/provider-buttons.tsx';
import { CheckYourEmail } from './check-your-email.tsx';
import { NewPasswordFields, useNewPassword } from './new-password.tsx';
import { ResendVerification } from './resend-verification.tsx';

export function SignUpPage() {
  const { t, place, go } = useEntrance();
  // `setup` is of an invitation to set up the install; its link is printed at the start.
  const { from, setup } = place.search;
  const { sent } = place.carried;
  const signUp = useAct((given: { email: string; password: string }) => {
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return callAccess('signup', { ...given, timezone, setup });
  });
  const emailField = useRef<HTMLInputElement>(null);
  const entry = useNewPassword();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = emailField.current?.value ?? '';
    if (!entry.agrees()) return;
    signUp.start(
      { email: typed, password: entry.password() },
      { done: ({ mailAt }) => go(...afterMail(typed, mailAt)) },
    );
  };

  if (sent) return <VerificationSent {...sent} />;
  const weak = codeOf(signUp.error) === 'WEAK_PASSWORD' ? (signUp.error as ApiError).message : null;
  return (
    <EntranceFrame
      title={t('access.signUp.title')}
      text={setup === undefined ? t('access.signUp.text') : t('access.signUp.setUp')}
      other={
        <>
          {t('access.signUp.haveAccount')}{' '}
          <EntranceLink to="/login" from={from}>
            {t('access.signUp.signIn')}
          </EntranceLink>
        </>
      }
    >
      <div className={styles.stack}>
        <ProviderButtons purpose="signUp" from={from} setup={setup} />
        <form className={styles.form} method="post" onSubmit={submit} onInput={signUp.forgetError}>
          {signUp.error && !weak ? (
            <Refusal>
              <SignUpRefusal error={signUp.error} />
            </Refusal>
          ) : null}
          <EmailField ref={emailField} />
          <NewPasswordFields t={t} entry={entry} label={t('access.password')} weak={weak} />
          <ActionButton fullWidth pending={signUp.pending} pendingLabel={t('access.signUp.pending')}>
            {t('access.signUp.action')}
          </ActionButton>
        </form>
        <ClosedProviders purpose="signUp" />
      </div>
    </EntranceFrame>
  );
}

function VerificationSent({ email, mailAt }: { email: string; mailAt: string | null }) {
  const { t } = useEntrance();
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

function SignUpRefusal({ error }: { error: unknown }) {
  const { t } = useEntrance();
  if (!(error instanceof ApiError) || error.status === 0) return t('access.signUp.unreachable');
  if (error.code === 'EMAIL_EXISTS') return t('access.signUp.emailExists');
  // the client's own message when the server gave none
  const isSilent = error.message === 'Request failed';
  if (isSilent) return t(error.status === 409 ? 'access.signUp.emailTaken' : 'access.signUp.failed');
  return error.message;
}
