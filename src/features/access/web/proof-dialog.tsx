import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { CodeField } from '#ui/code-field.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { leaveApp } from '#ui/leave-app.ts';
import { PasswordField } from '#ui/password-field.tsx';
import type { ProofDialogProps } from '#ui/reauthentication.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import form from './frame/guest-form.module.css';
import { Refusal } from './frame/refusal.tsx';
import { entranceAt } from './frame/use-entrance.ts';
import { canUsePasskeys } from './passkeys/authenticator.ts';
import { usePasskeyText } from './passkeys/passkey-text.ts';
import { type Proofs, useLeave, useProofs, useProve } from './proof-queries.ts';

type Way = 'password' | 'code' | 'passkey';

/** Asks somebody who is signed in to prove again who they are, with what they have. */
export function ProofDialog({ onProven, onCancel }: ProofDialogProps) {
  const { t } = useTranslation();
  const proofs = useProofs();
  return (
    <Dialog opened onClose={onCancel} title={t('security.proof.title')} size="sm">
      {proofs.data ? (
        <ProofForm ways={waysOf(proofs.data)} asksCode={proofs.data.code} onProven={onProven} onCancel={onCancel} />
      ) : proofs.error ? (
        <ErrorState title={t('security.proof.loadFailed')} error={proofs.error} onRetry={() => void proofs.refetch()} />
      ) : (
        <SkeletonRows rows={2} label={t('shell.loading')} />
      )}
    </Dialog>
  );
}

function waysOf({ password, code, passkey }: Proofs): Way[] {
  // With a password the code is asked for beside it; a passkey proves both factors.
  const has = { password, code: code && !password, passkey: passkey && canUsePasskeys() };
  return (['password', 'passkey', 'code'] as const).filter((way) => has[way]);
}

function ProofForm({
  ways,
  asksCode,
  onProven,
  onCancel,
}: ProofDialogProps & { ways: readonly Way[]; asksCode: boolean }) {
  const { t } = useTranslation();
  const prove = useProve();
  const passkeyText = usePasskeyText();
  const [way, setWay] = useState(ways[0]);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  if (way === undefined) return <SignInAgain onCancel={onCancel} />;

  const send = (typed = code) => {
    if (prove.isPending || (way === 'password' && password === '')) return;
    const given = { ...(way === 'password' ? { password } : {}), ...(asksCode ? { code: typed } : {}) };
    prove.mutate(way === 'passkey' ? 'passkey' : given, {
      onSuccess: onProven,
      onError: () => setCode(''),
    });
  };
  const switchTo = (other: Way) => {
    prove.reset();
    setWay(other);
    if (other === 'passkey') prove.mutate('passkey', { onSuccess: onProven });
  };
  return (
    <form
      onInput={forgetRefusal(prove)}
      className={form.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send();
      }}
    >
      <p>{t('security.proof.text')}</p>
      {prove.error ? <Refusal>{passkeyText(prove.error)}</Refusal> : null}
      {way === 'password' ? (
        <PasswordField
          data-autofocus
          label={t('access.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('access.showPassword') }}
        />
      ) : null}
      {asksCode && way !== 'passkey' ? (
        <CodeField
          data-autofocus={way === 'code' || undefined}
          label={t('access.mfa.codeLabel')}
          value={code}
          onChange={setCode}
          onComplete={send}
        />
      ) : null}
      <ActionButton
        fullWidth
        pending={prove.isPending}
        pendingLabel={way === 'passkey' ? t('access.passkey.pending') : t('security.proof.pending')}
      >
        {way === 'passkey' ? t('security.proof.with.passkey') : t('security.proof.action')}
      </ActionButton>
      {ways
        .filter((other) => other !== way)
        .map((other) => (
          <Button key={other} type="button" variant="subtle" fullWidth onClick={() => switchTo(other)}>
            {t(`security.proof.with.${other}`)}
          </Button>
        ))}
    </form>
  );
}

/** Proof for a person who signs in only with another service. */
function SignInAgain({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const leave = useLeave();
  return (
    <div className={form.stack}>
      {leave.error ? <Refusal>{errorText(leave.error)}</Refusal> : null}
      <p>{t('security.proof.nothing')}</p>
      <ActionButton
        type="button"
        fullWidth
        pending={leave.isPending}
        pendingLabel={t('security.proof.leaving')}
        onClick={() =>
          leave.mutate(undefined, {
            onSuccess: () => {
              onCancel();
              const from = router.state.location.href;
              queryClient.clear();
              void leaveApp(entranceAt('/login', from));
            },
          })
        }
      >
        {t('security.proof.signInAgain')}
      </ActionButton>
    </div>
  );
}
