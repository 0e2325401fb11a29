import type { Announcement } from '#kernel/announcement.ts';
import type { App } from './app.ts';
import type { Tx } from './db.ts';
import type { Job } from './jobs.ts';

/** What a listener has at hand in the announcer's transaction: nothing that reaches outside of the database. */
export type ListenerApp = Pick<App, 'jobs' | 'clock' | 'keyring' | 'config' | 'feed'>;

/** A feature's wish to hear: when this is announced, that is done in the announcer's transaction. */
export interface Listener {
  readonly announcement: string;
  deliver(app: ListenerApp, tx: Tx, payload: never): Promise<unknown>;
}

/** Acts within the announcer's transaction: what follows stands or falls with the change. It must be short, and never fail. */
export function followWithin<Heard>(
  announcement: Announcement<Heard>,
  follow: (app: ListenerApp, tx: Tx, heard: Heard) => Promise<void>,
): Listener {
  return { announcement: announcement.name, deliver: follow };
}

/** `key` as for the job's policy; the payload of the announcement becomes the payload of the job. */
export function listenTo<Heard, Payload>(
  announcement: Announcement<Heard>,
  job: Job<string, Payload>,
  toJob: (heard: Heard) => { payload: Payload; key?: string; startAfterMs?: number },
): Listener {
  return {
    announcement: announcement.name,
    deliver({ jobs }: ListenerApp, tx: Tx, heard: Heard) {
      const { payload, ...options } = toJob(heard);
      return jobs.send(job, payload, { tx, ...options });
    },
  };
}

export interface News {
  /** Tells whoever listens, once `tx` commits; the announcer does not know them. */
  announce<Payload>(tx: Tx, announcement: Announcement<Payload>, payload: Payload): Promise<void>;
}

/** The job table is the outbox: what is rolled back was never said. */
export function createNews(app: ListenerApp, listeners: readonly Listener[]): News {
  return {
    async announce(tx, announcement, payload) {
      for (const listener of listeners) {
        if (listener.announcement === announcement.name) await listener.deliver(app, tx, payload as never);
      }
    },
  };
}
