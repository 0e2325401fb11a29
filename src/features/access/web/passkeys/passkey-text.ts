import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { PasskeyError } from './authenticator.ts';

/** The message when no passkey was used or added, or the server refused it. */
export function usePasskeyText(): (error: unknown) => string {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (error) => (error instanceof PasskeyError ? t(`access.passkey.problem.${error.problem}`) : errorText(error));
}
