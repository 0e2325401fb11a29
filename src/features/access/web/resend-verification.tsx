import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import styles from './guest-form.module.css';
import { useResendVerification } from './queries.ts';

/** Asks for the verification mail once more, inside a text. */
export function ResendVerification({ email, label }: { email: string; label: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const resend = useResendVerification();
  if (resend.data) {
    const { mailAt } = resend.data;
    return (
      <span role="status">
        {t('access.resend.sent')} {mailAt ? <a href={mailAt}>{t('access.checkEmail.open')}</a> : null}
      </span>
    );
  }
  return (
    <>
      <button
        type="button"
        className={styles.inline}
        aria-disabled={resend.isPending || undefined}
        onClick={() => {
          if (!resend.isPending) resend.mutate({ email });
        }}
      >
        {resend.isPending ? t('access.resend.pending') : label}
      </button>
      {resend.error ? <span role="alert"> {errorText(resend.error)}</span> : null}
    </>
  );
}
