import * as z from 'zod/mini';
import { defineJob } from '#platform/jobs.ts';
import { sendPush } from './send-push.ts';

/** One notice to one device. A device whose service is silent holds up nobody else's. */
export const pushJob = defineJob({
  name: 'inbox.send-push',
  payload: z.strictObject({ id: z.string() }),
  policy: 'stately',
  timeoutSeconds: 60,
  handle: async (app, { id }, signal) => {
    const afterMs = await sendPush(app, id, signal);
    if (afterMs !== null) await app.jobs.send(pushJob, { id }, { key: id, startAfterMs: afterMs });
  },
});
