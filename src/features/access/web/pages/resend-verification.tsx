import { callAccess, useAct } from '../frame/call-access.ts';
import styles from '../frame/guest-form.module.css';
import { useEntrance } from '../frame/use-entrance.ts';
import { useRefusalText } from '../frame/use-refusal-text.ts';

/** Asks for the verification mail once more, inside a text. */
export function ResendVerification({ email, label }: { email: string; label: string }) {
  const { t } = useEntrance();
  const refusalText = useRefusalText();
  const resend = useAct(() => callAccess('resendVerification', { email }));
  if (resend.answer) {
    const { mailAt } = resend.answer;
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
        aria-disabled={resend.pending || undefined}
        onClick={() => resend.start(undefined)}
      >
        {resend.pending ? t('access.resend.pending') : label}
      </button>
      {resend.error ? <span role="alert"> {refusalText(resend.error)}</span> : null}
    </>
  );
}
