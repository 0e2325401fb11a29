import type { SignInProvider } from './sign-in-providers.ts';

/** A person at a provider, from a signed identity. */
export interface ProviderPerson {
  provider: SignInProvider;
  issuer: string;
  /** With the issuer it is the one thing by which somebody is recognised. */
  subject: string;
  /** The name that their person knows them by. */
  label: string;
  email: string | null;
  /** Whether `email` is proved to be theirs. */
  isEmailProven: boolean;
  name: string | null;
}

interface ToldIdentity {
  issuer: string;
  subject: string;
  tenant: string | null;
  email: string | null;
  emailVerified: boolean;
  domainVerified: boolean;
  userName: string | null;
  name: string | null;
}

/** The tenant of personal Microsoft accounts, whose addresses Microsoft has had confirmed. */
const personalTenant = '9188040d-6c67-4c5b-b112-36a304b66dad';

/**
 * An emulated provider has another port, and so another name, each time it is started: there `simulated` vouches.
 *
 * The administrators of a Microsoft tenant write into `email` what they like ("nOAuth", 2023). It counts as proved where
 * `xms_edov` says that the domain is theirs, and of personal accounts.
 */
export function providerPersonOf(
  provider: SignInProvider,
  identity: ToldIdentity,
  isSimulated: boolean,
): ProviderPerson {
  const { email, subject, userName, name } = identity;
  const isEmailProven =
    provider === 'microsoft'
      ? email !== null && (identity.domainVerified || identity.tenant === personalTenant)
      : identity.emailVerified;
  return {
    provider,
    issuer: isSimulated ? `simulated ${provider}` : identity.issuer,
    subject,
    // An address that nobody proved may be another person's.
    label: (isEmailProven ? email : null) ?? userName ?? email ?? name ?? 'without an address',
    email,
    isEmailProven,
    name: name?.slice(0, 200) ?? null,
  };
}
