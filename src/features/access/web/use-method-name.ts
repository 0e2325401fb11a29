import { useTranslation } from 'react-i18next';
import { signInProviderOf, signInServices } from '#features/access/rules/sign-in-providers.ts';

/** By which door somebody came in, in words. */
export function useMethodName(): (method: string) => string {
  const { t } = useTranslation();
  return (method) => {
    if (method === 'password') return t('security.method.password');
    if (method === 'passkey') return t('security.method.passkey');
    if (method === 'impersonation') return t('security.method.impersonation');
    if (method === 'code') return t('security.method.code');
    const provider = signInProviderOf(method);
    return t('security.method.service', { service: provider ? signInServices[provider] : method });
  };
}
