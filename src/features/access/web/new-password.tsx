import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '#ui/password-field.tsx';

/** A password to be chosen, typed twice. */
export function useNewPassword() {
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [mismatch, setMismatch] = useState(false);
  return {
    password,
    setPassword,
    repeated,
    setRepeated(value: string) {
      setRepeated(value);
      setMismatch(false);
    },
    mismatch,
    /** Whether both are the same; says so at the field if not. */
    agrees(): boolean {
      setMismatch(password !== repeated);
      return password === repeated;
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
  return (
    <>
      <PasswordField
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
