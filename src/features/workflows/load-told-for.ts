import { listHosts } from '#features/accounts/public.ts';
import { findNewestBookingId, listBookingFacts } from '#features/booking/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Told } from './render-step.ts';
import { isAboutBooking, type Trigger } from './rules/definition.ts';
import { sampleBooking } from './sample-booking.ts';
import type { StepHost } from './values-of.ts';

/** What a step is tried with: the newest booking of its author, or an example. *Errors*: AppError not-found. */
export async function loadToldFor(
  app: App,
  userId: UserId,
  trigger: Trigger,
): Promise<{ host: StepHost; told: Told; isSample: boolean }> {
  const host = (await listHosts(app.db, [userId])).get(userId);
  if (host === undefined)
    throw new AppError('not-found', 'NOT_FOUND', 'Confirm your mail address first: steps write in your name.');
  if (!isAboutBooking(trigger)) {
    const guest = { name: 'Gus Guest', email: 'gus@example.com', phone: null, zone: 'UTC' };
    const told: Told =
      trigger === 'form-submitted'
        ? { other: { kind: 'form', form: 'Contact us', answers: [{ label: 'Size', answer: '10 to 50' }], guest } }
        : { other: { kind: 'calendar', account: host.email, problem: 'Access was withdrawn' } };
    return { host, told, isSample: true };
  }
  const id = await findNewestBookingId(app.db, userId);
  const booking = id === null ? undefined : (await listBookingFacts(app, app.db, [id])).get(id);
  const sample = sampleBooking(userId, app.clock.nowMs());
  // the link of a guest is theirs alone
  return { host, told: { booking: { ...(booking ?? sample), url: sample.url } }, isSample: booking === undefined };
}
