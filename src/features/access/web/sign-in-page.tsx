import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ActionButton } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { PasswordField, TextField } from '#ui/text-field.tsx';
import styles from './guest-form.module.css';
import { GuestFrame } from './guest-frame.tsx';
import type { GuestSearch } from './guest-search.ts';
import { useSignIn } from './queries.ts';

export function SignInPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const { from }: GuestSearch = useSearch({ strict: false });
  const errorText = useErrorText();
  const signIn = useSignIn();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  // A second factor has no screen yet; an answer that asks for it counts as "Login failed".
  const unfinished = signIn.data && signIn.data.next !== null;
  const message = signIn.error ? errorText(signIn.error) : unfinished ? t('access.signIn.failed') : null;

  return (
    <GuestFrame title={t('access.signIn.title')} text={t('access.signIn.text')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate(
            { email, password, app: 'user' },
            {
              onSuccess: ({ next }) => {
                // The guard of this page, asked again, sends a signed-in person to where they wanted to go.
                if (next === null) void router.invalidate();
              },
            },
          );
        }}
      >
        {message ? (
          <Banner state="bad" role="alert">
            {message}
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
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('access.showPassword') }}
        />
        <ActionButton fullWidth pending={signIn.isPending} pendingLabel={t('access.signIn.pending')}>
          {t('access.signIn.action')}
        </ActionButton>
      </form>
      <p className={styles.other}>
        {t('access.signIn.noAccount')}{' '}
        <Link to="/signup" search={{ from }}>
          {t('access.signIn.signUp')}
        </Link>
      </p>
    </GuestFrame>
  );
}
