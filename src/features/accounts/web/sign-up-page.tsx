import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accountsContract } from '#features/accounts/contract.ts';
import { ApiError, errorCodeOf } from '#kernel/contract-client.ts';
import { Banner } from '#ui/banner.tsx';
import { ActionButton } from '#ui/button.tsx';
import { PasswordField, TextField } from '#ui/text-field.tsx';
import styles from './guest-form.module.css';
import { GuestFrame } from './guest-frame.tsx';
import type { GuestSearch } from './guest-search.ts';
import { useSignUp } from './queries.ts';

export function SignUpPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const { from }: GuestSearch = useSearch({ strict: false });
  const signUp = useSignUp();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [mismatch, setMismatch] = useState(false);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const differs = password !== repeated;
    setMismatch(differs);
    if (differs) return;
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    signUp.mutate({ email, password, timezone }, { onSuccess: () => void router.invalidate() });
  };

  const code = errorCodeOf(accountsContract.signup, signUp.error);
  const weak = code === 'WEAK_PASSWORD' && signUp.error ? signUp.error.message : null;
  return (
    <GuestFrame title={t('accounts.signUp.title')} text={t('accounts.signUp.text')}>
      <form className={styles.form} onSubmit={submit}>
        {signUp.error && !weak ? (
          <Banner state="bad" role="alert">
            <SignUpRefusal error={signUp.error} />
          </Banner>
        ) : null}
        <TextField
          label={t('accounts.email')}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          label={t('accounts.password')}
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={weak}
          visibilityToggleButtonProps={{ 'aria-label': t('accounts.showPassword') }}
        />
        <PasswordField
          label={t('accounts.signUp.confirm')}
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={repeated}
          onChange={(event) => {
            setRepeated(event.currentTarget.value);
            setMismatch(false);
          }}
          error={mismatch ? t('accounts.signUp.mismatch') : null}
          visibilityToggleButtonProps={{ 'aria-label': t('accounts.signUp.showConfirm') }}
        />
        <ActionButton fullWidth pending={signUp.isPending} pendingLabel={t('accounts.signUp.pending')}>
          {t('accounts.signUp.action')}
        </ActionButton>
      </form>
      <p className={styles.other}>
        {t('accounts.signUp.haveAccount')}{' '}
        <Link to="/login" search={{ from }}>
          {t('accounts.signUp.signIn')}
        </Link>
      </p>
    </GuestFrame>
  );
}

function SignUpRefusal({ error }: { error: Error }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiError) || error.status === 0) return t('accounts.signUp.unreachable');
  if (error.code === 'EMAIL_EXISTS') return t('accounts.signUp.emailExists');
  if (error.status === 409) return error.message || t('accounts.signUp.emailTaken');
  return error.message === 'Request failed' ? t('accounts.signUp.failed') : error.message;
}
