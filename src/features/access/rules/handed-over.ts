import type { ProviderPerson } from './provider-person.ts';
import type { JourneyState } from './provider-return.ts';
import type { SignInProvider } from './sign-in-providers.ts';

/** The person who came back from a provider, until the page asks for their session. */
export interface Arrived {
  person: ProviderPerson;
  luggage: JourneyState;
}

/** As it lies sealed in the browser. */
export interface HandedOver extends Arrived {
  purpose: string;
  token: string;
  expiresMs: number;
}

export const handOverSeconds = 60;
export const handOverPurpose = (provider: SignInProvider) => `hand-over ${provider}`;
