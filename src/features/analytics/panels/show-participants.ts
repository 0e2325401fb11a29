import { isOutside, ownSideOf } from '#features/calendar/rules/audience.ts';
import { eventIdOf } from '#features/calendar/rules/event-view.ts';
import { listOwnAddresses } from '#features/contacts/public.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { type Figures, hasBookings } from '../load-figures.ts';
import type { RowOf } from '../rules/explanation.ts';
import { participantsOf } from '../rules/met-people.ts';
import { type Days, spanOf } from '../rules/period.ts';
import { listStates } from '../store/read-calendars.ts';
import { listGuests } from '../store/read-facts.ts';
import { listAttendances } from '../store/read-meetings.ts';
import { sourceOf } from './source-of.ts';

/** Whom one meets. */
export async function showParticipants(figures: Figures) {
  const { db, question } = figures;
  const { scope, period } = question;
  const list = async (days: Days) => {
    const span = spanOf(days, period.zone);
    const isBooked = scope.teamId !== null || scope.eventTypeIds !== null || scope.source === 'direct';
    if (isBooked) {
      const guests = hasBookings(scope) ? await listGuests(db, scope, span) : [];
      return guests.map((guest) => ({ ...guest, bookingId: guest.key, eventId: null }));
    }
    const met = await listAttendances(db, question.callerId, await calendarsOf(figures), span);
    return met.map(({ itemId, recId, ...one }) => ({
      ...one,
      bookingId: null,
      eventId: itemId === null ? null : eventIdOf(itemId, recId),
    }));
  };
  const [now, before, own] = await Promise.all([
    list(period),
    list(period.previous),
    listOwnAddresses(db, question.callerId).then((addresses) => ownSideOf([...addresses])),
  ]);
  const data = {
    ...participantsOf(now, own),
    previous_participants: new Set(
      before.filter(({ address }) => isOutside(address, own)).map(({ address }) => address),
    ).size,
  };
  const rows = (): RowOf[] => {
    const seen = new Set<string>();
    return now
      .filter(({ address }) => isOutside(address, own))
      .map(({ address, key, startMs, title, isKnown, bookingId, eventId }, n) => {
        const isFirst = !seen.has(address);
        seen.add(address);
        return {
          kind: 'meeting',
          id: `${key} ${startMs} ${n}`,
          bookingId,
          eventId,
          title,
          with: address,
          atMs: startMs,
          part: address.slice(address.lastIndexOf('@') + 1),
          // each person once, by whether they are new
          numerator: isFirst && !isKnown ? 1 : 0,
          denominator: isFirst ? 1 : 0,
        };
      });
  };
  const people = data.new_participants + data.repeat_participants;
  return { data, numerator: data.new_participants, denominator: people, rows };
}

/** Null: whichever calendar. */
async function calendarsOf({ db, question: { scope, nowMs, callerId } }: Figures): Promise<CalendarId[] | null> {
  if (scope.calendarId !== null) return [scope.calendarId];
  if (scope.source === null) return null;
  const states = await listStates(db, callerId, { nowMs, pendingSlaMs: 0 });
  return states.filter((state) => sourceOf(state) === scope.source).map(({ id }) => id);
}
