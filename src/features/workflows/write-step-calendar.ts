import type { BookingFacts } from '#features/booking/public.ts';
import { writeInvitation } from '#features/booking/rules/invitation.ts';
import type { StepHost } from './values-of.ts';

/** The meeting for whoever wants it in their calendar: nobody is asked, and no link in it changes anything. */
export function writeStepCalendar(
  { uid, sequence, startMs, endMs, title, state, joinUrl, location, organizer }: BookingFacts,
  { host, publicUrl, from, nowMs }: { host: StepHost; publicUrl: string; from: string; nowMs: number },
): string {
  const isCertain = state === 'confirmed';
  const link = isCertain ? joinUrl : null;
  const address = isCertain && location.kind === 'in-person' ? location.address.trim() : '';
  return writeInvitation({
    method: 'PUBLISH',
    organizer:
      // of its invitation, while guests may know the address
      organizer !== null && organizer === host.shownEmail
        ? { name: host.name, email: organizer, sentBy: from }
        : { name: host.name, email: from, sentBy: null },
    stampMs: nowMs,
    events: [
      {
        uid,
        sequence,
        startMs,
        endMs,
        zone: host.zone,
        title: `${title}: ${host.name}`,
        notes: link === null ? publicUrl : `${link}\n\n${publicUrl}`,
        place: address === '' ? (link ?? '') : address,
        joinUrl: link,
        isCancelled: !isCertain,
        attendees: [],
      },
    ],
  });
}
