import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accessContract } from '#features/access/contract.ts';
import { errorCodeOf } from '#kernel/contract-client.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { CodeField } from '#ui/code-field.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { TextField } from '#ui/text-field.tsx';
import { useStepFocus } from '#ui/use-step-focus.ts';
import { useComeIn } from './come-in.ts';
import styles from './guest-form.module.css';
import { GuestFrame } from './guest-frame.tsx';
import type { GuestSearch } from './guest-search.ts';
import { useVerifyMfa } from './queries.ts';
import { Refusal } from './refusal.tsx';
import { selectAgain } from './select-again.ts';

/** After the password: a code of the authenticator app, or one of the backup codes. */
export function MfaVerifyPage() {
  const { t } = useTranslation();
  const { from }: GuestSearch = useSearch({ strict: false });
  const challenge = useLocation({ select: ({ state }) => state.challenge });
  const comeIn = useComeIn();
  const errorText = useErrorText();
  const verify = useVerifyMfa();
  const [kind, setKind] = useState<'code' | 'backup'>('code');
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useStepFocus(kind);

  const send = (typed: string) => {
    if (verify.isPending || challenge === undefined) return;
    verify.mutate(
      { kind, session: challenge, code: typed.trim() },
      { onSuccess: comeIn, onError: () => selectAgain(field.current) },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(code);
  };
  const switchTo = (other: typeof kind) => {
    setKind(other);
    setCode('');
    verify.reset();
  };

  const ended = errorCodeOf(accessContract.verifyMfa, verify.error) === 'CHALLENGE_ENDED';
  const backToLogin = (
    <Link to="/login" search={{ from } as never}>
      {t('access.backToLogin')}
    </Link>
  );
  return (
    <GuestFrame title={t('access.mfa.title')} text={t(`access.mfa.text.${kind}`)} other={backToLogin}>
      <form className={styles.form} onSubmit={submit}>
        {verify.error ? (
          <Refusal>
            {errorText(verify.error)} {ended ? backToLogin : null}
          </Refusal>
        ) : null}
        {kind === 'code' ? (
          <CodeField
            key="code"
            ref={field}
            label={t('access.mfa.codeLabel')}
            value={code}
            onChange={setCode}
            onComplete={send}
          />
        ) : (
          <TextField
            key="backup"
            ref={field}
            label={t('access.mfa.backupLabel')}
            data-page-focus
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            required
            withAsterisk={false}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text').trim();
              if (pasted === '' || /\s/.test(pasted)) return;
              event.preventDefault();
              setCode(pasted);
              send(pasted);
            }}
          />
        )}
        <ActionButton fullWidth pending={verify.isPending} pendingLabel={t('access.mfa.pending')}>
          {t('access.mfa.action')}
        </ActionButton>
        <Button type="button" variant="subtle" fullWidth onClick={() => switchTo(kind === 'code' ? 'backup' : 'code')}>
          {kind === 'code' ? t('access.mfa.useBackup') : t('access.mfa.useCode')}
        </Button>
      </form>
    </GuestFrame>
  );
}
