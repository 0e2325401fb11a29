import { isOutside, ownSideOf } from '#features/calendar/rules/audience.ts';
import { eventIdOf } from '#features/calendar/rules/event-view.ts';
import { faceOf } from '#features/connections/public.ts';
import { listOwnAddresses } from '#features/contacts/public.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { Span } from '#kernel/time/intervals.ts';
import { type Figures, hasBookings } from '../figures.ts';
import type { RowOf } from '../rules/explanation.ts';
import { forecastOf, forecastSpan, scheduledSpan } from '../rules/forecast.ts';
import { knownSince } from '../rules/known-since.ts';
import { type MeetingSource, meetingSources } from '../rules/measures.ts';
import { meetingRows, type SourcedMeeting } from '../rules/meeting-rows.ts';
import { participantsOf, sourcesOf } from '../rules/met-people.ts';
import { type Days, dateOf, dayOf, spanOf } from '../rules/period.ts';
import { listStates } from '../store/read-calendars.ts';
import { listGuests, listStarting } from '../store/read-facts.ts';
import { listAttendances, listMeetings } from '../store/read-meetings.ts';

/** Where a meeting came from: here, or the provider of its calendar. */
function sourceOf({ provider, profile }: { provider: string | null; profile: string | null }): MeetingSource {
  if (provider === null) return 'direct';
  const { word } = faceOf({ provider, profile: profile ?? '' });
  return meetingSources.find((source) => source === word && source !== 'direct') ?? 'other';
}

/** Meetings that start in the span, booked here or not, of the chosen source. */
async function listSourced({ db, question }: Figures, span: Span): Promise<SourcedMeeting[]> {
  const { scope } = question;
  return (await listMeetings(db, scope, span, { titles: question.explain }))
    .map((meeting) => ({ ...meeting, source: sourceOf(meeting) }))
    .filter(({ source }) => scope.source === null || source === scope.source);
}

/** Where meetings come from. */
export async function getSources(figures: Figures) {
  const { scope, period, nowMs } = figures.question;
  const [now, before] = await Promise.all([
    listSourced(figures, spanOf(period, period.zone)),
    listSourced(figures, spanOf(period.previous, period.zone)),
  ]);
  const since = scope.teamId === null ? knownSince(period, period, nowMs) : null;
  const isPreviousKnown = scope.teamId !== null || knownSince(period.previous, period, nowMs) === null;
  const data = {
    sources: sourcesOf(now),
    total: now.length,
    previous_total: isPreviousKnown ? before.length : null,
    since: since === null ? null : dateOf(since),
  };
  return { data, numerator: now.length, denominator: null, rows: () => meetingRows(now, ({ source }) => source) };
}

/** Whom one meets. */
export async function getParticipants(figures: Figures) {
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

/** The forecast for the next 14 days. */
export async function getForecast(figures: Figures) {
  const { db, question, outline } = figures;
  const { scope, nowMs } = question;
  const { zone } = question.period;
  const [facts, meetings, { firstMadeMs: sinceMs }] = await Promise.all([
    hasBookings(scope) ? listStarting(db, scope, forecastSpan(zone, nowMs)) : [],
    listSourced(figures, scheduledSpan(zone, nowMs)),
    outline(),
  ]);
  const data = forecastOf(facts, meetings, { zone, nowMs, sinceMs });
  const known = data.forecast === null ? [] : meetings;
  const rows = () => meetingRows(known, ({ startMs }) => dateOf(dayOf(zone, startMs)));
  return { data, numerator: data.forecast === null ? null : known.length, denominator: null, rows };
}
