import type { SignInStates } from './sign-in-providers.ts';

/**
 * The auth pages with the titles of their tabs. The server renders each of them; one script switches between all of
 * them.
 */
export const entrances = {
  '/login': 'access.signIn.title',
  '/admin/login': 'access.admin.title',
  '/signup': 'access.signUp.title',
  '/verify-email': 'access.verify.title',
  '/password/forgot': 'access.forgot.title',
  '/password/reset': 'access.reset.title',
  '/mfa/verify': 'access.mfa.title',
} as const;
export type EntrancePath = keyof typeof entrances;

/** Where somebody is led who has come in and wanted nothing else; an ordinary person has no business at the other door. */
export const homeOf = { user: '/dashboard', admin: '/admin' } as const;
export type Door = keyof typeof homeOf;

export const doorOf = (path: string): Door => (path.startsWith('/admin') ? 'admin' : 'user');

interface Picture {
  src: string;
  width: number;
  height: number;
}

/** Data from the server for an auth page: its script and its first picture use it. */
export interface EntranceData {
  /** One of `entrances`, or `/` for a browser that comes back from a provider. */
  path: string;
  search: string;
  words: Readonly<Record<string, string>>;
  /** BCP 47. */
  language: string;
  languages: readonly { value: string; label: string }[];
  brand: { logo?: Picture; darkLogo?: Picture };
  methods: SignInStates;
  /** Whether somebody is signed in here already, who may continue without. */
  signedIn: boolean;
}
