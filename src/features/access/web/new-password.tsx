import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '#ui/password-field.tsx';
import { selectAgain } from './select-again.ts';

/** A password to be chosen, typed twice. */
export function useNewPassword() {
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [mismatch, setMismatch] = useState(false);
  const repeatedField = useRef<HTMLInputElement>(null);
  return {
    password,
    setPassword,
    repeated,
    setRepeated(value: string) {
      setRepeated(value);
      setMismatch(false);
    },
    mismatch,
    repeatedField,
    /** Whether both are the same; says so at the field if not. */
    agrees(): boolean {
      const agrees = password === repeated;
      setMismatch(!agrees);
      if (!agrees) selectAgain(repeatedField.current);
      return agrees;
    },
  };
}

export interface NewPasswordFieldsProps {
  entry: ReturnType<typeof useNewPassword>;
  label: string;
  /** Why the server does not take it. */
  weak: string | null;
}

export function NewPasswordFields({ entry, label, weak }: NewPasswordFieldsProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (weak !== null) selectAgain(field.current);
  }, [weak]);
  return (
    <>
      <PasswordField
        ref={field}
        label={label}
        description={t('access.passwordRule')}
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={entry.password}
        onChange={(event) => entry.setPassword(event.currentTarget.value)}
        error={weak}
        visibilityToggleButtonProps={{ 'aria-label': t('access.showPassword') }}
      />
      <PasswordField
        ref={entry.repeatedField}
        label={t('access.confirmPassword')}
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={entry.repeated}
        onChange={(event) => entry.setRepeated(event.currentTarget.value)}
        error={entry.mismatch ? t('access.mismatch') : null}
        visibilityToggleButtonProps={{ 'aria-label': t('access.showConfirmPassword') }}
      />
    </>
  );
}
