import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accessContract } from '#features/access/contract.ts';
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

  const code = errorCodeOf(accessContract.signup, signUp.error);
  const weak = code === 'WEAK_PASSWORD' && signUp.error ? signUp.error.message : null;
  return (
    <GuestFrame title={t('access.signUp.title')} text={t('access.signUp.text')}>
      <form className={styles.form} onSubmit={submit}>
        {signUp.error && !weak ? (
          <Banner state="bad" role="alert">
            <SignUpRefusal error={signUp.error} />
          </Banner>
        ) : null}
        <TextField
          label={t('access.email')}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          label={t('access.password')}
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={weak}
          visibilityToggleButtonProps={{ 'aria-label': t('access.showPassword') }}
        />
        <PasswordField
          label={t('access.signUp.confirm')}
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={repeated}
          onChange={(event) => {
            setRepeated(event.currentTarget.value);
            setMismatch(false);
          }}
          error={mismatch ? t('access.signUp.mismatch') : null}
          visibilityToggleButtonProps={{ 'aria-label': t('access.signUp.showConfirm') }}
        />
        <ActionButton fullWidth pending={signUp.isPending} pendingLabel={t('access.signUp.pending')}>
          {t('access.signUp.action')}
        </ActionButton>
      </form>
      <p className={styles.other}>
        {t('access.signUp.haveAccount')}{' '}
        <Link to="/login" search={{ from }}>
          {t('access.signUp.signIn')}
        </Link>
      </p>
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
