import { Link, useLocation } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { CheckYourEmail } from './check-your-email.tsx';
import { EmailField } from './email-field.tsx';
import styles from './guest-form.module.css';
import { GuestFrame } from './guest-frame.tsx';
import { useForgotPassword } from './queries.ts';
import { Refusal } from './refusal.tsx';
import { TextWithEmail } from './text-with-email.tsx';

export function ForgotPasswordPage() {
  const { t } = useTranslation();
  const known = useLocation({ select: ({ state }) => state.email });
  const errorText = useErrorText();
  const forgot = useForgotPassword();
  const [email, setEmail] = useState(known ?? '');

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!forgot.isPending) forgot.mutate({ email });
  };

  if (forgot.data) return <ResetLinkSent email={email} mailAt={forgot.data.mailAt} onAgain={() => forgot.reset()} />;
  return (
    <GuestFrame
      title={t('access.forgot.title')}
      text={t('access.forgot.text')}
      other={
        <Link to="/login" state={{ email }}>
          {t('access.backToLogin')}
        </Link>
      }
    >
      <form className={styles.form} onSubmit={submit}>
        {forgot.error ? <Refusal>{errorText(forgot.error)}</Refusal> : null}
        <EmailField value={email} onChange={setEmail} />
        <ActionButton fullWidth pending={forgot.isPending} pendingLabel={t('access.forgot.pending')}>
          {t('access.forgot.action')}
        </ActionButton>
      </form>
    </GuestFrame>
  );
}

function ResetLinkSent({ email, mailAt, onAgain }: { email: string; mailAt: string | null; onAgain: () => void }) {
  const { t } = useTranslation();
  return (
    <CheckYourEmail
      email={email}
      mailAt={mailAt}
      text={<TextWithEmail text="access.forgot.sent" email={email} />}
      otherwise={
        <>
          {t('access.checkEmail.nothing')}{' '}
          <button type="button" className={styles.inline} onClick={onAgain}>
            {t('access.forgot.again')}
          </button>
        </>
      }
    />
  );
}
