import type { Output } from '#kernel/contract.ts';
import { ActionButton } from '#ui/button.tsx';
import type { accessContract } from '../../contract.ts';
import { callAccess, codeOf, useAct } from '../frame/call-access.ts';
import { leaveFor } from '../frame/come-in.ts';
import { EntranceFrame } from '../frame/entrance-frame.tsx';
import { EntranceLink } from '../frame/entrance-link.tsx';
import styles from '../frame/guest-form.module.css';
import { Refusal } from '../frame/refusal.tsx';
import { addressOf, TextWithEmail } from '../frame/text-with-email.tsx';
import { useEntrance } from '../frame/use-entrance.ts';
import { useRefusalText } from '../frame/use-refusal-text.ts';
import { ResendVerification } from './resend-verification.tsx';

/** Where the link of a verification mail leads. Mail scanners open links: only the button has an effect. */
export function VerifyEmailPage() {
  const { t, place, go } = useEntrance();
  const { code = '' } = place.search;
  const email = addressOf(place.search.email);
  const refusalText = useRefusalText();
  const verify = useAct(() => callAccess('verifyEmail', { email, code }));
  const backToLogin = (
    <EntranceLink to="/login" carried={() => ({ email })}>
      {t('access.backToLogin')}
    </EntranceLink>
  );

  if (email === '' || code === '') {
    return (
      <EntranceFrame art="missing" title={t('access.link.title')} text={t('access.link.text')} other={backToLogin} />
    );
  }
  return (
    <EntranceFrame
      art="mail"
      title={t('access.verify.title')}
      text={<TextWithEmail text="access.verify.text" email={email} />}
      other={backToLogin}
    >
      <form
        className={styles.form}
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          // A person who changes their address is signed in and continues from there.
          const done = ({ message, signed_in, choose_password }: Output<typeof accessContract.verifyEmail>) => {
            if (signed_in) return leaveFor('/dashboard');
            if (choose_password)
              return go(`/password/reset${location.search}`, { replace: true, carried: { isFirst: true } });
            go('/login', { replace: true, carried: { email, notice: message, isFirst: true } });
          };
          verify.start(undefined, { done });
        }}
      >
        {verify.error ? (
          <Refusal>
            {refusalText(verify.error)}{' '}
            {codeOf(verify.error) === 'CODE_INVALID' ? (
              <ResendVerification email={email} label={t('access.resend.action')} />
            ) : null}
          </Refusal>
        ) : null}
        <ActionButton fullWidth pending={verify.pending} pendingLabel={t('access.verify.pending')}>
          {t('access.verify.action')}
        </ActionButton>
      </form>
    </EntranceFrame>
  );
}
