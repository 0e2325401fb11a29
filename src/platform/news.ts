import type { Announcement } from '#kernel/announcement.ts';
import type { Tx } from './db.ts';
import type { Job, Jobs } from './jobs.ts';

/** A feature's wish to hear: when this is announced, that job is sent, in the announcer's transaction. */
export interface Listener {
  readonly announcement: string;
  deliver(jobs: Jobs, tx: Tx, payload: never): Promise<unknown>;
}

/** `key` as for the job's policy; the payload of the announcement becomes the payload of the job. */
export function listenTo<Heard, Payload>(
  announcement: Announcement<Heard>,
  job: Job<string, Payload>,
  toJob: (heard: Heard) => { payload: Payload; key?: string; startAfterMs?: number },
): Listener {
  return {
    announcement: announcement.name,
    deliver(jobs: Jobs, tx: Tx, heard: Heard) {
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
export function createNews(jobs: Jobs, listeners: readonly Listener[]): News {
  return {
    async announce(tx, announcement, payload) {
      for (const listener of listeners) {
        if (listener.announcement === announcement.name) await listener.deliver(jobs, tx, payload as never);
      }
    },
  };
}
