import type { App } from './app.ts';
import type { Tx } from './db.ts';
import type { AnyJob, Schedule } from './jobs.ts';
import type { Measure } from './measures.ts';
import type { Listener } from './news.ts';
import type { PageRoute } from './page-route.ts';
import type { RawRoute } from './raw-route.ts';
import type { Authenticate, RouteGroup } from './routes.ts';
import type { Restore } from './settle-restore.ts';

/** A feature's manifest: what `main.ts` has to serve and run for it. Listed in `features.ts` in dependency order. */
export interface Feature {
  name: string;
  /** Contract entries bound to their handlers; served by the roles `web` and `all`. */
  routes?: readonly RouteGroup[];
  /** Addresses for others than our own clients; served like `routes`. */
  rawRoutes?: readonly RawRoute[];
  /** Public pages; served like `routes`. */
  pages?: readonly PageRoute[];
  /** One feature proves who somebody is. */
  authenticate?: Authenticate;
  /** Known to every role (web enqueues), run by `worker` and `all`. */
  jobs?: readonly AnyJob[];
  schedules?: readonly Schedule[];
  /** News of the features above that this one acts on. */
  listeners?: readonly Listener[];
  /** Values of the feature for `/metrics`. */
  measures?: readonly Measure[];
  /** Runs before the process listens or works; its answer runs when it closes, in reverse order of the features. */
  start?(app: App): Promise<(() => Promise<void>) | undefined>;
  /** A backup was put back: what of this feature must not go on as if nothing had been. Once, before anything runs. */
  restored?(tx: Tx, restore: Restore): Promise<void>;
  /** Returns a message for the operator once the server listens; undefined if they have nothing to do. */
  greet?(app: App): Promise<string | undefined>;
}
