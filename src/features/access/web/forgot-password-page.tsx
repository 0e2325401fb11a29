import { type FormEvent, useRef } from 'react';
import { ActionButton } from '#ui/button.tsx';
import { callAccess, useAct } from './call-access.ts';
import { CheckYourEmail } from './check-your-email.tsx';
import { EmailField } from './email-field.tsx';
import { EntranceFrame } from './entrance-frame.tsx';
import { EntranceLink } from './entrance-link.tsx';
import styles from './guest-form.module.css';
import { Refusal } from './refusal.tsx';
import { TextWithEmail } from './text-with-email.tsx';
import { useEntrance } from './use-entrance.ts';
import { useRefusalText } from './use-refusal-text.ts';

export function ForgotPasswordPage() {
  const { t } = useEntrance();
  const refusalText = useRefusalText();
  const field = useRef<HTMLInputElement>(null);
  const forgot = useAct(async (email: string) => ({ ...(await callAccess('forgotPassword', { email })), email }));

  if (forgot.answer) {
    return (
      <CheckYourEmail
        {...forgot.answer}
        text={<TextWithEmail text="access.forgot.sent" email={forgot.answer.email} />}
        otherwise={
          <>
            {t('access.checkEmail.nothing')}{' '}
            <button type="button" className={styles.inline} onClick={forgot.forget}>
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
          forgot.start(field.current?.value ?? '');
        }}
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
