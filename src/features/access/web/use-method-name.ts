import { useTranslation } from 'react-i18next';

/** By which door somebody came in, in words; one without words of its own is a service with a name. */
export function useMethodName(): (method: string) => string {
  const { t } = useTranslation();
  return (method) => {
    if (method === 'password') return t('security.method.password');
    if (method === 'passkey') return t('security.method.passkey');
    if (method === 'code') return t('security.method.code');
    return t('security.method.service', { service: method.charAt(0).toUpperCase() + method.slice(1) });
  };
}
