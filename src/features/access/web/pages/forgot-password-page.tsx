import { type FormEvent, useRef } from 'react';
import { ActionButton } from '#ui/button.tsx';
import { callAccess, useAct } from '../frame/call-access.ts';
import { EmailField } from '../frame/email-field.tsx';
import { EntranceFrame } from '../frame/entrance-frame.tsx';
import { EntranceLink } from '../frame/entrance-link.tsx';
import styles from '../frame/guest-form.module.css';
import { Refusal } from '../frame/refusal.tsx';
import { TextWithEmail } from '../frame/text-with-email.tsx';
import { afterMail, useEntrance } from '../frame/use-entrance.ts';
import { useRefusalText } from '../frame/use-refusal-text.ts';
import { CheckYourEmail } from './check-your-email.tsx';

export function ForgotPasswordPage() {
  const { t, place, go } = useEntrance();
  const { sent } = place.carried;
  const refusalText = useRefusalText();
  const field = useRef<HTMLInputElement>(null);
  const forgot = useAct((email: string) => callAccess('forgotPassword', { email }));

  if (sent) {
    return (
      <CheckYourEmail
        {...sent}
        text={<TextWithEmail text="access.forgot.sent" email={sent.email} />}
        otherwise={
          <>
            {t('access.checkEmail.nothing')}{' '}
            <button
              type="button"
              className={styles.inline}
              onClick={() => go(location.pathname + location.search, { replace: true, carried: { email: sent.email } })}
            >
              {t('access.forgot.again')}
            </button>
          </>
        }
      />
    );
  }
  return (
    <EntranceFrame
      title={t('access.forgot.title')}
      text={t('access.forgot.text')}
      other={
        <EntranceLink to="/login" carried={() => ({ email: field.current?.value })}>
          {t('access.backToLogin')}
        </EntranceLink>
      }
    >
      <form
        className={styles.form}
        method="post"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          const email = field.current?.value ?? '';
          forgot.start(email, { done: ({ mailAt }) => go(...afterMail(email, mailAt)) });
        }}
        onInput={forgot.forgetError}
      >
        {forgot.error ? <Refusal>{refusalText(forgot.error)}</Refusal> : null}
        <EmailField ref={field} />
        <ActionButton fullWidth pending={forgot.pending} pendingLabel={t('access.forgot.pending')}>
          {t('access.forgot.action')}
        </ActionButton>
      </form>
    </EntranceFrame>
  );
}
