import type { ComponentType } from 'react';

/**
 * user: needs a session. admin: that of an administrator. guest: only without one, a signed-in person goes on.
 * challenged: between password and second factor. challenged-or-user: there, or signed in. public: anybody.
 */
export type Guard = 'user' | 'admin' | 'guest' | 'challenged' | 'challenged-or-user' | 'public';

/** A screen as a line in a feature's `web/screens.ts`: where it lives, who may see it, and how to fetch its code. */
export interface Screen {
  /** Path of the route, e.g. `/meetings`. */
  path: string;
  /** Translation key of the document title. */
  title: string;
  guard: Guard;
  /** Areas whose words it uses besides that of its title. */
  words?: readonly string[];
  /** Typed search parameters; a value that does not fit falls back and the address is rewritten. */
  search?: (raw: Record<string, unknown>) => Record<string, unknown>;
  load: () => Promise<ComponentType>;
}
