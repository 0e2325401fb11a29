import { type FormEvent, useRef, useState } from 'react';
import { ActionButton } from '#ui/button.tsx';
import type { Door } from '../../rules/entrance.ts';
import { callAccess, codeOf, useAct } from '../frame/call-access.ts';
import { leadsOn, useComeIn } from '../frame/come-in.ts';
import { EmailField } from '../frame/email-field.tsx';
import { EntrancePassword } from '../frame/entrance-field.tsx';
import { EntranceLink } from '../frame/entrance-link.tsx';
import styles from '../frame/guest-form.module.css';
import { Refusal } from '../frame/refusal.tsx';
import { selectAgain } from '../frame/select-again.ts';
import { useEntrance } from '../frame/use-entrance.ts';
import { useRefusalText } from '../frame/use-refusal-text.ts';
import { ResendVerification } from './resend-verification.tsx';

/** E-mail and password, at either door. */
export function SignInForm({ door, onTry }: { door: Door; onTry?: () => void }) {
  const { t, place } = useEntrance();
  const comeIn = useComeIn(door);
  const refusalText = useRefusalText();
  const [email, setEmail] = useState('');
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const signIn = useAct((password: string) =>
    callAccess('login', { email: emailField.current?.value ?? '', password, app: door }),
  );
  const isIn = signIn.answer !== undefined && leadsOn(signIn.answer);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isIn) return;
    onTry?.();
    setEmail(emailField.current?.value ?? '');
    const failed = () => selectAgain(passwordField.current);
    signIn.start(passwordField.current?.value ?? '', { done: comeIn, failed });
  };
  const typed = () => ({ email: emailField.current?.value });

  const code = codeOf(signIn.error);
  return (
    <form className={styles.form} method="post" onSubmit={submit} onInput={signIn.forgetError}>
      {signIn.error ? (
        <Refusal>
          {refusalText(signIn.error)}{' '}
          {code === 'EMAIL_NOT_VERIFIED' ? (
            <ResendVerification key={email} email={email} label={t('access.resend.action')} />
          ) : null}
          {code === 'NOT_AN_ADMIN' ? (
            <EntranceLink to="/login" carried={typed}>
              {t('access.admin.ordinary')}
            </EntranceLink>
          ) : null}
        </Refusal>
      ) : null}
      {signIn.answer && !isIn ? <Refusal>{t('access.signIn.failed')}</Refusal> : null}
      <EmailField ref={emailField} />
      <EntrancePassword
        ref={passwordField}
        label={t('access.password')}
        showLabel={t('access.showPassword')}
        name="password"
        autoComplete="current-password"
      />
      <EntranceLink to="/password/forgot" from={place.search.from} carried={typed} className={styles.forgot}>
        {t('access.signIn.forgot')}
      </EntranceLink>
      <ActionButton fullWidth pending={signIn.pending || isIn} pendingLabel={t('access.signIn.pending')}>
        {t('access.signIn.action')}
      </ActionButton>
    </form>
  );
}
