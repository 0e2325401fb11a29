import type { ApiFetch } from './api-fetch.ts';
import type { BrandWatch } from './brand.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Keyring } from './crypto.ts';
import type { Database } from './db.ts';
import type { Feed } from './feed.ts';
import type { SafeFetch } from './fetch.ts';
import type { Jobs } from './jobs.ts';
import type { Log } from './log.ts';
import type { Mail } from './mail.ts';
import type { Maintenance } from './maintenance.ts';
import type { Metrics } from './metrics.ts';
import type { News } from './news.ts';

/** The task of a process: requests, jobs, or both; or to bring the database up to date and end. */
export type Role = 'web' | 'worker' | 'all' | 'migrate';

/**
 * Everything a use-case may need of the process it runs in. Made once by `main.ts` (or the test harness), passed as the
 * first argument, never global. Use-cases should ask for the parts they use: `Pick<App, 'db' | 'clock'>`.
 */
export interface App {
  readonly config: Config;
  readonly log: Log;
  readonly db: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly keyring: Keyring;
  /** To public addresses that anybody entered. */
  readonly fetch: SafeFetch;
  /** To servers of connected accounts: also those on the operator's own network that `CALDAV_ALLOW_PRIVATE` names. */
  readonly connectionFetch: SafeFetch;
  /** To services that the operator configured. */
  readonly apiFetch: ApiFetch;
  readonly feed: Feed;
  readonly metrics: Metrics;
  readonly news: News;
  readonly mail: Mail;
  readonly maintenance: Maintenance;
  readonly brand: BrandWatch;
}
