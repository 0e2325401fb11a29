import { useEffect, useRef, useState } from 'react';
import { EntrancePassword } from '../frame/entrance-field.tsx';
import { selectAgain } from '../frame/select-again.ts';
import type { Say } from '../frame/use-entrance.ts';

/** A password to be chosen, typed twice. */
export function useNewPassword() {
  const field = useRef<HTMLInputElement>(null);
  const repeatedField = useRef<HTMLInputElement>(null);
  const [mismatch, setMismatch] = useState(false);
  const password = () => field.current?.value ?? '';
  return {
    field,
    repeatedField,
    password,
    mismatch,
    setMismatch,
    /** Whether both are the same; says so at the field if not. */
    agrees(): boolean {
      const agrees = password() === repeatedField.current?.value;
      setMismatch(!agrees);
      if (!agrees) selectAgain(repeatedField.current);
      return agrees;
    },
  };
}

export interface NewPasswordFieldsProps {
  t: Say;
  entry: ReturnType<typeof useNewPassword>;
  label: string;
  /** Why the server does not take it. */
  weak: string | null;
}

export function NewPasswordFields({ t, entry, label, weak }: NewPasswordFieldsProps) {
  const { field } = entry;
  useEffect(() => {
    if (weak !== null) selectAgain(field.current);
  }, [weak, field]);
  return (
    <>
      <EntrancePassword
        ref={field}
        onInput={() => entry.setMismatch(false)}
        label={label}
        description={t('access.passwordRule')}
        autoComplete="new-password"
        error={weak}
        showLabel={t('access.showPassword')}
      />
      <EntrancePassword
        ref={entry.repeatedField}
        label={t('access.confirmPassword')}
        autoComplete="new-password"
        onInput={() => entry.setMismatch(false)}
        error={entry.mismatch ? t('access.mismatch') : null}
        showLabel={t('access.showConfirmPassword')}
      />
    </>
  );
}
