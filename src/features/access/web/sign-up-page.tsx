import { Link, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accessContract } from '#features/access/contract.ts';
import { ApiError, errorCodeOf } from '#kernel/contract-client.ts';
import { Banner } from '#ui/banner.tsx';
import { ActionButton } from '#ui/button.tsx';

import { EmailField } from './email-field.tsx';
import styles from './guest-form.module.css';
import { GuestFrame } from './guest-frame.tsx';
import type { GuestSearch } from './guest-search.ts';
import { NewPasswordFields, useNewPassword } from './new-password.tsx';
import { useSignUp } from './queries.ts';
import { Refusal } from './refusal.tsx';

export function SignUpPage() {
  const { t } = useTranslation();
  const { from }: GuestSearch = useSearch({ strict: false });
  const signUp = useSignUp();
  const [email, setEmail] = useState('');
  const entry = useNewPassword();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (signUp.isPending || !entry.agrees()) return;
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    signUp.mutate({ email, password: entry.password, timezone });
  };

  const code = errorCodeOf(accessContract.signup, signUp.error);
  const weak = code === 'WEAK_PASSWORD' && signUp.error ? signUp.error.message : null;
  return (
    <GuestFrame
      title={t('access.signUp.title')}
      text={t('access.signUp.text')}
      other={
        <>
          {t('access.signUp.haveAccount')}{' '}
          <Link to="/login" search={{ from } as never}>
            {t('access.signUp.signIn')}
          </Link>
        </>
      }
    >
      <form className={styles.form} onSubmit={submit}>
        {signUp.data ? (
          <Banner state="ok" role="status">
            {signUp.data.message}
          </Banner>
        ) : null}
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
    </GuestFrame>
  );
}

function SignUpRefusal({ error }: { error: Error }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiError) || error.status === 0) return t('access.signUp.unreachable');
  if (error.code === 'EMAIL_EXISTS') return t('access.signUp.emailExists');
  if (error.status === 409) return error.message || t('access.signUp.emailTaken');
  return error.message === 'Request failed' ? t('access.signUp.failed') : error.message;
}
