/** Where people may sign in instead of with a password, in the order of the buttons. */
export const signInProviders = ['google', 'microsoft', 'apple', 'zoho'] as const;
export type SignInProvider = (typeof signInProviders)[number];

/** The one that is called so; undefined for what an address, a provider or an old row names otherwise. */
export function signInProviderOf(name: unknown): SignInProvider | undefined {
  return signInProviders.find((provider) => provider === name);
}

/** Provider names in sentences. */
export const signInServices: Record<SignInProvider, string> = {
  google: 'Google',
  microsoft: 'Microsoft',
  apple: 'Apple',
  zoho: 'Zoho',
};

/**
 * - simulated: at the provider that this process emulates
 * - off: the operator has not registered this server there
 * - soon: the same, of one that few operators will
 */
export const signInStates = ['on', 'simulated', 'off', 'soon'] as const;
export type SignInStates = Record<SignInProvider, (typeof signInStates)[number]>;

/** Where somebody can sign in now. */
export function usableProviders(states: SignInStates): SignInProvider[] {
  return signInProviders.filter((provider) => states[provider] === 'on' || states[provider] === 'simulated');
}
