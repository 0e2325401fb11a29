import type { ComponentType } from 'react';

/** A screen as a line in a feature's `web/screens.ts`: where it lives, who may see it, and how to fetch its code. */
export interface Screen {
  /** Path of the route, e.g. `/meetings`. */
  path: string;
  /** Translation key of the document title. */
  title: string;
  /** user: needs a session. guest: only without one, a signed-in person goes on. public: anybody. */
  guard: 'user' | 'guest' | 'public';
  /** Typed search parameters; a value that does not fit falls back and the address is rewritten. */
  search?: (raw: Record<string, unknown>) => Record<string, unknown>;
  load: () => Promise<ComponentType>;
}
