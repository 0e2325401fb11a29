import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ActionButton, Button } from '#ui/button.tsx';
import { useStepFocus } from '#ui/use-step-focus.ts';
import { callAccess, codeOf, useAct } from '../frame/call-access.ts';
import { leadsOn, useComeIn } from '../frame/come-in.ts';
import { EntranceCode, EntranceField } from '../frame/entrance-field.tsx';
import { EntranceFrame } from '../frame/entrance-frame.tsx';
import { EntranceLink } from '../frame/entrance-link.tsx';
import styles from '../frame/guest-form.module.css';
import { Refusal } from '../frame/refusal.tsx';
import { selectAgain } from '../frame/select-again.ts';
import { entranceAt, useEntrance } from '../frame/use-entrance.ts';
import { useRefusalText } from '../frame/use-refusal-text.ts';

/** After the password: a code of the authenticator app, or one of the backup codes. */
export function MfaVerifyPage() {
  const { t, place, go } = useEntrance();
  const { from } = place.search;
  const comeIn = useComeIn();
  const refusalText = useRefusalText();
  const [kind, setKind] = useState<'code' | 'backup'>('code');
  const verify = useAct((given: { session: string; code: string }) =>
    callAccess(kind === 'code' ? 'verifyMfa' : 'consumeBackupCode', given),
  );
  const field = useRef<HTMLInputElement>(null);
  const isIn = verify.answer !== undefined && leadsOn(verify.answer);
  useStepFocus(kind);

  // Opened without a sign-in that waits for it; what came along is known to the browser alone.
  const elsewhere = useRef(() => go(entranceAt('/login', from), { replace: true }));
  useEffect(() => {
    if ((history.state as { challenge?: unknown } | null)?.challenge === undefined) elsewhere.current();
  }, []);

  const send = (typed: string) => {
    const { challenge } = place.carried;
    if (challenge === undefined || isIn) return;
    const failed = () => selectAgain(field.current);
    verify.start({ session: challenge, code: typed.trim() }, { done: comeIn, failed });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(field.current?.value ?? '');
  };
  const switchTo = (other: typeof kind) => {
    setKind(other);
    verify.forget();
  };

  const ended = codeOf(verify.error) === 'CHALLENGE_ENDED';
  const backToLogin = (
    <EntranceLink to="/login" from={from}>
      {t('access.backToLogin')}
    </EntranceLink>
  );
  return (
    <EntranceFrame title={t('access.mfa.title')} text={t(`access.mfa.text.${kind}`)} other={backToLogin}>
      <form className={styles.form} method="post" onSubmit={submit}>
        {verify.error ? (
          <Refusal>
            {refusalText(verify.error)} {ended ? backToLogin : null}
          </Refusal>
        ) : null}
        {kind === 'code' ? (
          <EntranceCode key="code" ref={field} label={t('access.mfa.codeLabel')} onComplete={send} />
        ) : (
          <EntranceField
            key="backup"
            ref={field}
            label={t('access.mfa.backupLabel')}
            data-page-focus
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            required
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text').trim();
              if (pasted === '' || /\s/.test(pasted)) return;
              event.preventDefault();
              event.currentTarget.value = pasted;
              send(pasted);
            }}
          />
        )}
        <ActionButton fullWidth pending={verify.pending || isIn} pendingLabel={t('access.mfa.pending')}>
          {t('access.mfa.action')}
        </ActionButton>
        <Button type="button" variant="subtle" fullWidth onClick={() => switchTo(kind === 'code' ? 'backup' : 'code')}>
          {kind === 'code' ? t('access.mfa.useBackup') : t('access.mfa.useCode')}
        </Button>
      </form>
    </EntranceFrame>
  );
}
