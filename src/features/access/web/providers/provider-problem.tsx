import type { ReactNode } from 'react';
import { returnProblems } from '#features/access/rules/provider-return.ts';
import { signInProviderOf, signInServices } from '#features/access/rules/sign-in-providers.ts';
import { Banner } from '#ui/banner.tsx';
import styles from '../frame/guest-form.module.css';
import type { Say } from '../frame/use-entrance.ts';
import type { ProviderOutcome } from './provider-outcome.ts';

/** Error codes of the call that exchanges the token. */
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

interface ProviderProblemProps {
  t: Say;
  outcome: ProviderOutcome;
  /** To have the mail sent again that confirms the address, where that is what is missing. */
  resend?: ReactNode;
}

/** Why a person came back from a provider without being signed in or linked: by its code in the address, in our words. */
export function ProviderProblem({ t, outcome, resend }: ProviderProblemProps) {
  const problem = providerProblems.find((one) => one === outcome.problem);
  if (outcome.problem === undefined) return null;
  const provider = signInProviderOf(outcome.provider);
  const service = provider === undefined ? t('access.provider.someService') : signInServices[provider];
  return (
    <Banner state={problem === 'EMAIL_NOT_VERIFIED' ? 'info' : 'bad'} role="alert">
      <p className={styles.told}>
        {t(`access.provider.problem.${problem ?? 'OTHER'}`, { service })}{' '}
        {problem === 'EMAIL_NOT_VERIFIED' ? resend : null}
      </p>
    </Banner>
  );
}
