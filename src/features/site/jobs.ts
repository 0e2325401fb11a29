import * as z from 'zod/mini';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { mailSubscriber } from './mail-subscriber.ts';
import { confirmDays } from './rules/limits.ts';
import { deleteWaiting } from './store/subscribers.ts';

/** Somebody asked for news to an address; sent for one that has them too, as it takes as long. */
export const askSubscriber = defineJob({
  name: 'site.ask-subscriber',
  payload: z.strictObject({ id: z.uuid(), locale: z._default(z.string(), 'en') }),
  handle: (app, { id, locale }) => mailSubscriber(app, id, locale),
});

/** Addresses whose owners did not say yes are nobody's to keep. */
const forgetWaiting = defineJob({
  name: 'site.forget-waiting',
  payload: z.strictObject({}),
  async handle(app) {
    await deleteWaiting(app.db, confirmDays);
  },
});

export const jobs = [askSubscriber, forgetWaiting];
export const schedules: readonly Schedule[] = [{ job: forgetWaiting, everyMs: 3_600_000, payload: {} }];
