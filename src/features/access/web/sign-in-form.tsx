import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accessContract } from '#features/access/contract.ts';
import { errorCodeOf } from '#kernel/contract-client.ts';
import { ActionButton } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { type Door, useComeIn } from './come-in.ts';
import { EmailField } from './email-field.tsx';
import styles from './guest-form.module.css';
import type { GuestSearch } from './guest-search.ts';
import { useSignIn } from './queries.ts';
import { Refusal } from './refusal.tsx';
import { ResendVerification } from './resend-verification.tsx';
import { selectAgain } from './select-again.ts';

/** E-mail and password, at either door. */
export function SignInForm({ door, onTry }: { door: Door; onTry?: () => void }) {
  const { t } = useTranslation();
  const { from }: GuestSearch = useSearch({ strict: false });
  const known = useLocation({ select: ({ state }) => state.email });
  const comeIn = useComeIn(door);
  const errorText = useErrorText();
  const signIn = useSignIn();
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [leadsNowhere, setLeadsNowhere] = useState(false);
  const passwordField = useRef<HTMLInputElement>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (signIn.isPending) return;
    setLeadsNowhere(false);
    onTry?.();
    signIn.mutate(
      { email, password, app: door },
      {
        onSuccess: (answer) => setLeadsNowhere(!comeIn(answer)),
        onError: () => selectAgain(passwordField.current),
      },
    );
  };

  const code = errorCodeOf(accessContract.login, signIn.error);
  return (
    <form className={styles.form} onSubmit={submit}>
      {signIn.error ? (
        <Refusal>
          {errorText(signIn.error)}{' '}
          {code === 'EMAIL_NOT_VERIFIED' ? (
            <ResendVerification key={email} email={email} label={t('access.resend.action')} />
          ) : null}
          {code === 'NOT_AN_ADMIN' ? (
            <Link to="/login" state={{ email }}>
              {t('access.admin.ordinary')}
            </Link>
          ) : null}
        </Refusal>
      ) : null}
      {leadsNowhere ? <Refusal>{t('access.signIn.failed')}</Refusal> : null}
      <EmailField value={email} onChange={setEmail} />
      <PasswordField
        ref={passwordField}
        label={t('access.password')}
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': t('access.showPassword') }}
      />
      <Link to="/password/forgot" search={{ from } as never} state={{ email }} className={styles.forgot}>
        {t('access.signIn.forgot')}
      </Link>
      <ActionButton fullWidth pending={signIn.isPending} pendingLabel={t('access.signIn.pending')}>
        {t('access.signIn.action')}
      </ActionButton>
    </form>
  );
}
