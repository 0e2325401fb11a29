import type { FormEvent } from 'react';
import type { ApiError } from '#kernel/api-error.ts';
import { ActionButton } from '#ui/button.tsx';
import { callAccess, codeOf, useAct } from '../frame/call-access.ts';
import { EntranceFrame } from '../frame/entrance-frame.tsx';
import { EntranceLink } from '../frame/entrance-link.tsx';
import styles from '../frame/guest-form.module.css';
import { Refusal } from '../frame/refusal.tsx';
import { addressOf, TextWithEmail } from '../frame/text-with-email.tsx';
import { useEntrance } from '../frame/use-entrance.ts';
import { useRefusalText } from '../frame/use-refusal-text.ts';
import { NewPasswordFields, useNewPassword } from './new-password.tsx';

/** A first password too, for the link of a sign-up that was opened in another browser. */
export function ResetPasswordPage() {
  const { t, place, go } = useEntrance();
  const { code = '' } = place.search;
  const email = addressOf(place.search.email);
  const { isFirst = false } = place.carried;
  const refusalText = useRefusalText();
  const reset = useAct((new_password: string) => callAccess('resetPassword', { email, code, new_password }));
  const entry = useNewPassword();
  const carried = () => ({ email });
  const askAgain = (
    <EntranceLink to="/password/forgot" carried={carried}>
      {t('access.reset.askAgain')}
    </EntranceLink>
  );

  if (email === '' || code === '') {
    return <EntranceFrame art="missing" title={t('access.link.title')} text={t('access.link.text')} other={askAgain} />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!entry.agrees()) return;
    reset.start(entry.password(), {
      done: () =>
        go('/login', {
          replace: true,
          carried: { email, notice: t(isFirst ? 'access.firstPassword.done' : 'access.reset.done'), isFirst },
        }),
    });
  };
  const refused = codeOf(reset.error);
  const weak = refused === 'WEAK_PASSWORD' ? (reset.error as ApiError).message : null;
  return (
    <EntranceFrame
      title={t(isFirst ? 'access.firstPassword.title' : 'access.reset.title')}
      text={<TextWithEmail text={isFirst ? 'access.firstPassword.text' : 'access.reset.text'} email={email} />}
      other={
        <EntranceLink to="/login" carried={carried}>
          {t('access.backToLogin')}
        </EntranceLink>
      }
    >
      <form className={styles.form} method="post" onSubmit={submit} onInput={reset.forgetError}>
        {reset.error && !weak ? (
          <Refusal>
            {refusalText(reset.error)} {refused === 'CODE_INVALID' ? askAgain : null}
          </Refusal>
        ) : null}
        {/* Password managers file the new password under this. */}
        <input hidden readOnly type="email" name="email" autoComplete="username" value={email} />
        <NewPasswordFields
          t={t}
          entry={entry}
          label={t(isFirst ? 'access.password' : 'access.reset.password')}
          weak={weak}
        />
        <ActionButton fullWidth pending={reset.pending} pendingLabel={t('access.reset.pending')}>
          {t(isFirst ? 'access.firstPassword.action' : 'access.reset.action')}
        </ActionButton>
      </form>
    </EntranceFrame>
  );
}
