import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { signInProviderOf, signInServices } from '#features/access/rules/sign-in-providers.ts';
import { Banner } from '#ui/banner.tsx';
import type { ProviderOutcome } from './provider-outcome.ts';
import { ProviderProblem } from './provider-problem.tsx';

/** Outcome of linking an account at a provider, after the return. */
export function LinkingOutcome() {
  const { t } = useTranslation();
  const outcome: ProviderOutcome = useSearch({ strict: false });
  const provider = signInProviderOf(outcome.linked);
  if (provider === undefined) return <ProviderProblem t={(key, values) => t(key, { ...values })} outcome={outcome} />;
  return (
    <Banner state="ok" role="status">
      {t('security.identities.linked', { service: signInServices[provider] })}
    </Banner>
  );
}
