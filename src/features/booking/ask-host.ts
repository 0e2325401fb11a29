import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { bookingsTopic } from './events.ts';
import { loadTold } from './load-told.ts';
import { questionMail } from './question-mail.ts';
import { listOfAppointment } from './store/bookings.ts';
import { type Asked, askQuestions } from './store/questions.ts';

/** Keeps what a host is asked, and mails what is news. A hold that gives way is told in the product only. */
export async function askHost(app: App, tx: Tx, userId: UserId, asked: readonly Asked[]): Promise<void> {
  const fresh = await askQuestions(tx, asked, { nowMs: app.clock.nowMs() });
  if (asked.length > 0) await app.feed.publish(tx, userId, bookingsTopic);
  for (const question of fresh) {
    if (question.kind === 'overbooked') continue;
    const [first] = (await listOfAppointment(tx, question.appointmentId)).filter(({ state }) => state === 'confirmed');
    const told = first === undefined ? null : await loadTold({ ...app, db: tx }, first);
    const host = told && [told.host, ...told.others].find(({ id }) => id === userId);
    if (told !== null && host) await app.mail.send(tx, questionMail({ ...told, host }, question, app.config.publicUrl));
  }
}
