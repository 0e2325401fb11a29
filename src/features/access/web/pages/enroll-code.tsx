import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accessContract } from '#features/access/contract.ts';
import { errorCodeOf } from '#kernel/contract-client.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { CodeField } from '#ui/code-field.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import form from '../frame/guest-form.module.css';
import type { GuestSearch } from '../frame/guest-search.ts';
import { Refusal } from '../frame/refusal.tsx';
import { selectAgain } from '../frame/select-again.ts';
import { entranceAt } from '../frame/use-entrance.ts';
import { useFinishEnrolment } from '../queries.ts';

export interface EnrollCodeProps {
  /** The challenge of this enrolment. */
  session: string;
  onBack: () => void;
  onEnrolled: (backupCodes: readonly string[]) => void;
}

/** The first code of the app shows that it has the secret. */
export function EnrollCode({ session, onBack, onEnrolled }: EnrollCodeProps) {
  const { t } = useTranslation();
  const { from }: GuestSearch = useSearch({ strict: false });
  const errorText = useErrorText();
  const verify = useFinishEnrolment();
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);

  const send = (typed: string) => {
    if (verify.isPending) return;
    verify.mutate(
      { session, code: typed },
      { onSuccess: ({ backupCodes }) => onEnrolled(backupCodes), onError: () => selectAgain(field.current) },
    );
  };
  const ended = errorCodeOf(accessContract.finishEnrolment, verify.error) === 'CHALLENGE_ENDED';
  return (
    <form
      className={form.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send(code);
      }}
    >
      {verify.error ? (
        <Refusal>
          {errorText(verify.error)} {ended ? <a href={entranceAt('/login', from)}>{t('access.backToLogin')}</a> : null}
        </Refusal>
      ) : null}
      <CodeField ref={field} label={t('access.mfa.codeLabel')} value={code} onChange={setCode} onComplete={send} />
      <ActionButton fullWidth pending={verify.isPending} pendingLabel={t('access.mfa.pending')}>
        {t('access.mfa.action')}
      </ActionButton>
      <Button type="button" variant="subtle" fullWidth onClick={onBack}>
        {t('access.enroll.back')}
      </Button>
    </form>
  );
}
