import { useLocation, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { returnProblems } from '#features/access/rules/provider-return.ts';
import { signInProviderOf, signInServices } from '#features/access/rules/sign-in-providers.ts';
import { Banner } from '#ui/banner.tsx';
import styles from './guest-form.module.css';
import type { ProviderOutcome } from './provider-outcome.ts';
import { ResendVerification } from './resend-verification.tsx';

/** What else may be wrong once the token is exchanged: codes of the call. */
const providerProblems = [
  ...returnProblems,
  'SIGN_IN_ENDED',
  'EMAIL_EXISTS',
  'NO_EMAIL',
  'EMAIL_NOT_VERIFIED',
  'SET_UP_ENDED',
  'SIGN_UP_CLOSED',
  'ACCOUNT_LEAVING',
  'ACCOUNT_SUSPENDED',
] as const;

/** Why a person came back from a provider without being signed in or linked: by its code in the address, in our words. */
export function ProviderProblem() {
  const { t } = useTranslation();
  const search: ProviderOutcome = useSearch({ strict: false });
  const problem = providerProblems.find((one) => one === search.problem);
  const email = useLocation({ select: ({ state }) => state.email });
  if (search.problem === undefined) return null;
  const provider = signInProviderOf(search.provider);
  const service = provider === undefined ? t('access.provider.someService') : signInServices[provider];
  return (
    <Banner state={problem === 'EMAIL_NOT_VERIFIED' ? 'info' : 'bad'} role="alert">
      <p className={styles.told}>
        {t(`access.provider.problem.${problem ?? 'OTHER'}`, { service })}{' '}
        {problem === 'EMAIL_NOT_VERIFIED' && email !== undefined ? (
          <ResendVerification email={email} label={t('access.resend.action')} />
        ) : null}
      </p>
    </Banner>
  );
}
