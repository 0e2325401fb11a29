import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { accessContract } from '#features/access/contract.ts';
import { errorCodeOf } from '#kernel/contract-client.ts';
import { ActionButton } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import styles from './guest-form.module.css';
import { GuestFrame } from './guest-frame.tsx';
import type { LinkSearch } from './guest-search.ts';
import { NewPasswordFields, useNewPassword } from './new-password.tsx';
import { useResetPassword } from './queries.ts';
import { Refusal } from './refusal.tsx';
import { TextWithEmail } from './text-with-email.tsx';

export function ResetPasswordPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const { email = '', code = '' }: Partial<LinkSearch> = useSearch({ strict: false });
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const reset = useResetPassword();
  const entry = useNewPassword();
  const askAgain = (
    <Link to="/password/forgot" state={{ email }}>
      {t('access.reset.askAgain')}
    </Link>
  );

  if (email === '' || code === '') {
    return <GuestFrame art="missing" title={t('access.link.title')} text={t('access.link.text')} other={askAgain} />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reset.isPending || !entry.agrees()) return;
    reset.mutate(
      { email, code, new_password: entry.password },
      {
        onSuccess: () => {
          // Every session has ended, this browser's too.
          queryClient.removeQueries();
          void router.navigate({ to: '/login', replace: true, state: { email, notice: t('access.reset.done') } });
        },
      },
    );
  };
  const refused = errorCodeOf(accessContract.resetPassword, reset.error);
  const weak = refused === 'WEAK_PASSWORD' && reset.error ? reset.error.message : null;
  return (
    <GuestFrame
      title={t('access.reset.title')}
      text={<TextWithEmail text="access.reset.text" email={email} />}
      other={
        <Link to="/login" state={{ email }}>
          {t('access.backToLogin')}
        </Link>
      }
    >
      <form className={styles.form} onSubmit={submit}>
        {reset.error && !weak ? (
          <Refusal>
            {errorText(reset.error)} {refused === 'CODE_INVALID' ? askAgain : null}
          </Refusal>
        ) : null}
        {/* Password managers file the new password under this. */}
        <input hidden readOnly type="email" name="email" autoComplete="username" value={email} />
        <NewPasswordFields entry={entry} label={t('access.reset.password')} weak={weak} />
        <ActionButton fullWidth pending={reset.isPending} pendingLabel={t('access.reset.pending')}>
          {t('access.reset.action')}
        </ActionButton>
      </form>
    </GuestFrame>
  );
}
