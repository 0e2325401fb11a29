import type { ComponentType } from 'react';

/** user: needs a session. admin: that of an administrator. challenged-or-user: between password and second factor, or signed in. */
export type Guard = 'user' | 'admin' | 'challenged-or-user';

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
