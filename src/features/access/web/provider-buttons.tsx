import { useTranslation } from 'react-i18next';
import { type SignInProvider, signInProviders, signInServices } from '#features/access/rules/sign-in-providers.ts';
import { SignInLogo } from '#ui/sign-in-logo.tsx';
import styles from './provider-buttons.module.css';
import { type SignInState, useSignInMethods } from './queries.ts';

export interface ProviderButtonsProps {
  /** What happens there, to say so; an account is made in either case. */
  purpose: 'signIn' | 'signUp';
  /** The page that was wanted. */
  from?: string | undefined;
  /** Of the link that makes the first administrator. */
  setup?: string | undefined;
}

/** The ways in that are not a password, above its form, as each provider wants its button to look. */
export function ProviderButtons(props: ProviderButtonsProps) {
  const { t } = useTranslation();
  const methods = useSignInMethods();
  // A password works all the same.
  if (methods.error) return null;
  return (
    <div className={styles.providers}>
      <ul className={styles.list} aria-label={t('access.provider.list')} aria-busy={methods.isPending}>
        {signInProviders.map((provider) => (
          <li key={provider}>
            <ProviderButton {...props} provider={provider} state={methods.data?.[provider]} />
          </li>
        ))}
      </ul>
      <p className={styles.or}>{t('access.provider.or')}</p>
    </div>
  );
}

/** `state` is not known for a moment: the button has its place already. */
function ProviderButton({
  provider,
  state,
  purpose,
  from,
  setup,
}: ProviderButtonsProps & { provider: SignInProvider; state: SignInState | undefined }) {
  const { t } = useTranslation();
  const content = (
    <>
      <SignInLogo service={provider} />
      <span className={styles.texts}>
        <span>{t(`access.provider.${purpose}`, { service: signInServices[provider] })}</span>
        {state === undefined || state === 'on' ? null : (
          <span className={styles.note}>{t(`access.provider.${state}`)}</span>
        )}
      </span>
    </>
  );
  const shared = { className: styles.button, 'data-provider': provider };
  if (state === 'on' || state === 'simulated') {
    return (
      <a {...shared} href={startAddress(provider, { from, setup })}>
        {content}
      </a>
    );
  }
  return (
    <button {...shared} type="button" data-off aria-disabled>
      {content}
    </button>
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
