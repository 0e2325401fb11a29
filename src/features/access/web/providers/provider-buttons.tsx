import type { MouseEvent } from 'react';
import {
  type SignInProvider,
  signInProviders,
  signInServices,
  usableProviders,
} from '#features/access/rules/sign-in-providers.ts';
import { SignInLogo } from '#ui/sign-in-logo.tsx';
import { useEntrance } from '../frame/use-entrance.ts';
import styles from './provider-buttons.module.css';

export interface ProviderButtonsProps {
  /** The purpose in the label. Both create an account if there is none. */
  purpose: 'signIn' | 'signUp';
  /** The page that was wanted. */
  from?: string | undefined;
  /** The token of the link that makes the first administrator. */
  setup?: string | undefined;
}

/** The ways in that are not a password, above its form, as each provider wants its button to look. */
export function ProviderButtons({ purpose, from, setup }: ProviderButtonsProps) {
  const { t, methods } = useEntrance();
  const usable = usableProviders(methods);
  // A password works all the same.
  if (usable.length === 0) return null;
  return (
    <div>
      <ul className={styles.list} aria-label={t('access.provider.list')}>
        {usable.map((provider) => (
          <li key={provider}>
            <a
              className={styles.button}
              data-provider={provider}
              href={startAddress(provider, { from, setup })}
              onClick={addZone}
            >
              <SignInLogo service={provider} />
              <span className={styles.texts}>
                <span>{t(`access.provider.${purpose}`, { service: signInServices[provider] })}</span>
                {methods[provider] === 'simulated' ? (
                  <span className={styles.note}>{t('access.provider.simulated')}</span>
                ) : null}
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p className={styles.or}>{t('access.provider.or')}</p>
    </div>
  );
}

const closed = ['off', 'soon'] as const;

/** Providers that this install cannot use, small and below the working ones, with the reason. */
export function ClosedProviders({ purpose }: Pick<ProviderButtonsProps, 'purpose'>) {
  const { t, methods } = useEntrance();
  const groups = closed
    .map((state) => ({ state, providers: signInProviders.filter((provider) => methods[provider] === state) }))
    .filter(({ providers }) => providers.length > 0);
  if (groups.length === 0) return null;
  return (
    <div className={styles.closed}>
      {groups.map(({ state, providers }) => (
        <div key={state} className={styles.group}>
          <ul className={styles.tiles} aria-label={t(`access.provider.${state}`)}>
            {providers.map((provider) => {
              const service = signInServices[provider];
              return (
                <li key={provider}>
                  <button
                    type="button"
                    className={styles.tile}
                    aria-disabled
                    aria-label={`${t(`access.provider.${purpose}`, { service })} ${t(`access.provider.${state}`)}`}
                    title={service}
                  >
                    <SignInLogo service={provider} />
                  </button>
                </li>
              );
            })}
          </ul>
          <span className={styles.note} aria-hidden>
            {t(`access.provider.${state}`)}
          </span>
        </div>
      ))}
    </div>
  );
}

/** Address to which the browser navigates; it returns to the page that finishes the sign-in. */
function startAddress(
  provider: SignInProvider,
  asked: { from?: string | undefined; setup?: string | undefined },
): string {
  const query = new URLSearchParams(
    Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return `/auth/oauth/${provider}/login?${query.toString()}`;
}

/** For a new account; the server, which writes the address, has a zone of its own. */
function addZone({ currentTarget: link }: MouseEvent<HTMLAnchorElement>): void {
  const there = new URL(link.href);
  there.searchParams.set('timezone', Intl.DateTimeFormat().resolvedOptions().timeZone);
  link.href = there.href;
}
