import { useTranslation } from 'react-i18next';
import {
  type SignInProvider,
  signInProviders,
  signInServices,
  usableProviders,
} from '#features/access/rules/sign-in-providers.ts';
import { SignInLogo } from '#ui/sign-in-logo.tsx';
import styles from './provider-buttons.module.css';
import { useSignInMethods } from './queries.ts';

export interface ProviderButtonsProps {
  /** What happens there, to say so; an account is made in either case. */
  purpose: 'signIn' | 'signUp';
  /** The page that was wanted. */
  from?: string | undefined;
  /** Of the link that makes the first administrator. */
  setup?: string | undefined;
}

/** The ways in that are not a password, above its form, as each provider wants its button to look. */
export function ProviderButtons({ purpose, from, setup }: ProviderButtonsProps) {
  const { t } = useTranslation();
  const methods = useSignInMethods();
  const usable = methods.data ? usableProviders(methods.data) : [];
  // A password works all the same.
  if (usable.length === 0) return null;
  return (
    <div>
      <ul className={styles.list} aria-label={t('access.provider.list')}>
        {usable.map((provider) => (
          <li key={provider}>
            <a className={styles.button} data-provider={provider} href={startAddress(provider, { from, setup })}>
              <SignInLogo service={provider} />
              <span className={styles.texts}>
                <span>{t(`access.provider.${purpose}`, { service: signInServices[provider] })}</span>
                {methods.data?.[provider] === 'simulated' ? (
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

/** Those that nobody can use here, small and below everything that works: that they are known of, and why not. */
export function ClosedProviders({ purpose }: Pick<ProviderButtonsProps, 'purpose'>) {
  const { t } = useTranslation();
  const { data } = useSignInMethods();
  if (data === undefined) return null;
  const groups = closed
    .map((state) => ({ state, providers: signInProviders.filter((provider) => data[provider] === state) }))
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

/** The browser goes there by itself: it comes back to the page that takes it in. */
function startAddress(
  provider: SignInProvider,
  asked: { from?: string | undefined; setup?: string | undefined },
): string {
  const query = new URLSearchParams({ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) query.set(name, value);
  return `/auth/oauth/${provider}/login?${query.toString()}`;
}
