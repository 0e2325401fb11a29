import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { accessContract } from '#features/access/contract.ts';
import { errorCodeOf } from '#kernel/contract-client.ts';
import { ActionButton } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import styles from './guest-form.module.css';
import { GuestFrame } from './guest-frame.tsx';
import type { LinkSearch } from './guest-search.ts';
import { useVerifyEmail } from './queries.ts';
import { Refusal } from './refusal.tsx';
import { ResendVerification } from './resend-verification.tsx';
import { TextWithEmail } from './text-with-email.tsx';

/** Where the link of a verification mail leads. Mail scanners open links: only the button has an effect. */
export function VerifyEmailPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const { email = '', code = '' }: Partial<LinkSearch> = useSearch({ strict: false });
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const verify = useVerifyEmail();
  const backToLogin = (
    <Link to="/login" state={{ email }}>
      {t('access.backToLogin')}
    </Link>
  );

  if (email === '' || code === '') {
    return <GuestFrame art="missing" title={t('access.link.title')} text={t('access.link.text')} other={backToLogin} />;
  }
  const invalid = errorCodeOf(accessContract.verifyEmail, verify.error) === 'CODE_INVALID';
  return (
    <GuestFrame
      art="mail"
      title={t('access.verify.title')}
      text={<TextWithEmail text="access.verify.text" email={email} />}
      other={backToLogin}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (verify.isPending) return;
          verify.mutate(
            { email, code },
            {
              onSuccess: ({ message }) => {
                // Who changes the address of their account is signed in, and goes on from there.
                queryClient.removeQueries();
                void router.navigate({ to: '/login', replace: true, state: { email, notice: message } });
              },
            },
          );
        }}
      >
        {verify.error ? (
          <Refusal>
            {errorText(verify.error)}{' '}
            {invalid ? <ResendVerification email={email} label={t('access.resend.action')} /> : null}
          </Refusal>
        ) : null}
        <ActionButton fullWidth pending={verify.isPending} pendingLabel={t('access.verify.pending')}>
          {t('access.verify.action')}
        </ActionButton>
      </form>
    </GuestFrame>
  );
}
