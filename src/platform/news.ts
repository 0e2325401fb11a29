import { type Announcement, newsOf, type Said } from '#kernel/announcement.ts';
import type { App } from './app.ts';
import type { Tx } from './db.ts';
import type { Job, Sending } from './jobs.ts';

/** The parts of App that a listener may use in the emitter's transaction. None of them acts outside the database. */
export type ListenerApp = Pick<App, 'jobs' | 'clock' | 'keyring' | 'config' | 'feed'>;

/** A feature's wish to hear: when this is announced, that is done in the announcer's transaction, or that job is sent. */
export type Listener =
  | { readonly announcement: string; deliver(app: ListenerApp, tx: Tx, payload: never): Promise<unknown> }
  | { readonly announcement: string; toSending(payload: never): Sending };

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
  return { announcement: announcement.name, toSending: (heard: Heard) => ({ job, ...toJob(heard) }) as Sending };
}

export interface News {
  /** Notifies the listeners once `tx` commits; the emitter does not know them. */
  announce<Payload>(tx: Tx, announcement: Announcement<Payload>, payload: Payload): Promise<void>;
  /** Several pieces of news; the jobs that follow from all of them are sent in one statement. */
  announceAll(tx: Tx, news: readonly Said[]): Promise<void>;
}

/** The job table is the outbox: what is rolled back was never said. */
export function createNews(app: ListenerApp, listeners: readonly Listener[]): News {
  const listenersOf = Map.groupBy(listeners, (listener) => listener.announcement);
  const announceAll = async (tx: Tx, news: readonly Said[]) => {
    const sendings: Sending[] = [];
    for (const { announcement, payload } of news) {
      for (const listener of listenersOf.get(announcement) ?? []) {
        if ('toSending' in listener) sendings.push(listener.toSending(payload as never));
        else await listener.deliver(app, tx, payload as never);
      }
    }
    await app.jobs.sendAll(sendings, tx);
  };
  return { announceAll, announce: (tx, announcement, payload) => announceAll(tx, [newsOf(announcement, payload)]) };
}
