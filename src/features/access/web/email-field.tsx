import { useTranslation } from 'react-i18next';
import { TextField } from '#ui/text-field.tsx';

export interface EmailFieldProps {
  value: string;
  onChange: (value: string) => void;
  autoFocus?: boolean;
}

export function EmailField({ value, onChange, autoFocus }: EmailFieldProps) {
  const { t } = useTranslation();
  return (
    <TextField
      label={t('access.email')}
      type="email"
      name="email"
      autoComplete="username"
      autoCapitalize="off"
      spellCheck={false}
      required
      withAsterisk={false}
      data-autofocus={autoFocus}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
