import type { Host } from '#features/accounts/public.ts';
import { findMailLogo } from '#features/teams/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { declinePath, writeInviteToken } from './brought/links.ts';
import { listUntold } from './brought/untold-guests.ts';
import { lacksLink } from './conferences/conferences.ts';
import { listMailedHosts } from './list-hosts-of.ts';
import { listStrangers } from './list-strangers.ts';
import { bookedUrl, bookingTokenPlace, uidOf } from './rules/booking-address.ts';
import { changeUntilMs, isChangeable } from './rules/change-window.ts';
import { tellAnswers } from './rules/check-answers.ts';
import type { BookedSeries } from './rules/series-invitation.ts';
import type { ToldBooking, ToldHost } from './rules/told-booking.ts';
import { defaultSettings } from './rules/type-settings.ts';
import type { Version } from './rules/who-is-told.ts';
import { findBookUrl } from './show-booked.ts';
import { loadAppointment } from './store/appointments.ts';
import { listActors } from './store/booking-audit.ts';
import { type Booking, findBooking, listSeries, type SeriesBooking } from './store/bookings.ts';
import { findType } from './store/event-type-rows.ts';
import { findHandleOfType } from './store/handles.ts';
import { writeProof } from './write-proof.ts';

/**
 * A booking with all that its mails say; null where nobody can be written to about it. `together`: with the other times of
 * its series, those that became what it is at the same moment or those given; it is then told by the first of them.
 */
export async function loadTold(
  app: Pick<App, 'db' | 'keyring' | 'config' | 'clock'>,
  booking: Booking,
  { together = 'alone' }: { together?: Together } = {},
): Promise<LoadedBooking | null> {
  const { db, keyring, config, clock } = app;
  const { id, userId, token, seriesId, eventTypeId } = booking;
  const series = seriesId === null ? [] : await listSeries(db, seriesId);
  const told = await ofOneAct(
    db,
    series.filter((one) => isTogether(one, booking, together)),
    booking,
    together,
  );
  const [lead] = told;
  if (lead !== undefined && lead.id !== id) {
    const first = await findBooking(db, lead.id);
    return first === null ? null : loadTold(app, first, { together });
  }
  if (token === null || booking.guestEmail === '') return null;
  const appointment = await loadAppointment(db, booking.appointmentId);
  const hostIds = [...new Set([...appointment.hostIds, ...told.flatMap((one) => one.hostIds)])];
  const everyHost = [...new Set([userId, ...hostIds])];
  const [hosts, unconfirmed, type, handle] = await Promise.all([
    listMailedHosts(db, everyHost),
    listStrangers(db, everyHost, [booking.guestEmail, ...booking.guests]),
    eventTypeId === null ? null : findType(db, eventTypeId),
    eventTypeId === null ? null : findHandleOfType(db, eventTypeId),
  ]);
  const host = hosts.find((one) => one.userId === userId);
  if (host === undefined) return null;
  const logo = type?.teamId == null ? null : await findMailLogo(db, type.teamId);
  const { startMs, endMs, location } = appointment;
  const others = hosts.filter((one) => one !== host && hostIds.includes(one.userId)).map(toldHost);
  const contact = [toldHost(host), ...others].find(({ shownEmail }) => shownEmail !== null) ?? null;
  const organizer = [booking, ...series].find((one) => one.organizer !== null)?.organizer;
  const pageOf = (one: Pick<Booking, 'id'>, sealed: string) =>
    bookedUrl(config.publicUrl, keyring.open(sealed, bookingTokenPlace(one.id)));
  const url = pageOf(booking, token);
  const bookUrl = await findBookUrl(app, db, booking, { type, handle });
  const { cancellation } = booking;
  const isOpen = (email: string) => email !== booking.guestEmail || booking.mailConfirmedMs === null;
  const guests = told.length === 0 ? booking.guests : [...new Set(told.flatMap((one) => one.guests))];
  // a mail about one date of a series declines that date
  const ofDate = told.length === 1 && series.length > 1;
  const sharedUrl = location.kind === 'link' ? location.url : null;
  return {
    id,
    ids: told.length === 0 ? [id] : told.map((one) => one.id),
    uid: booking.uid,
    sequence: booking.sequence,
    toldAs:
      together === 'same-moment' && told.length > 1
        ? `${seriesId}:${momentOf(booking)}:${booking.seriesStartMs}`
        : `${id}:${booking.sequence}`,
    title: appointment.title,
    color: type === null || type.settings.color === defaultSettings(type.kind).color ? null : type.settings.color,
    logo,
    startMs,
    endMs,
    before: null,
    actor: null,
    lost: null,
    calendar: null,
    series: seriesId === null ? null : seriesOf(seriesId, series, { sharedUrl, pageOf }),
    date:
      seriesId === null
        ? null
        : {
            number: series.findIndex((one) => one.id === id) + 1,
            others: series.filter((one) => !told.includes(one) && isChangeable(one.state)).map((one) => one.endMs),
          },
    together: told.map((one) => ({ ...timeOf(one, sharedUrl), id: one.id, hostIds: one.hostIds })),
    location,
    joinUrl: appointment.joinUrl ?? sharedUrl,
    lacksLink: await lacksLink(db, appointment, { sinceMs: momentOf(booking), nowMs: clock.nowMs() }),
    host: toldHost(host),
    others,
    contact,
    organizer: organizer ?? contact?.shownEmail ?? '',
    guest: {
      name: booking.guestName,
      email: booking.guestEmail,
      phone: booking.guestPhone,
      zone: booking.guestZone,
      locale: booking.language ?? host.locale,
    },
    guests,
    untold: await listUntold(db, { id, guests }),
    declineUrls: guests.map((one) => `${config.publicUrl}${declinePath(writeInviteToken(app, id, one), { ofDate })}`),
    unconfirmed: unconfirmed.filter(isOpen),
    answers: tellAnswers(booking.asked, booking.answers),
    keptUntilMs: booking.state === 'awaiting-mail' ? booking.expiresMs : null,
    policy: { untilMs: changeUntilMs(startMs, cancellation), text: cancellation.text },
    reason: booking.reason,
    isReasonOfGuest: booking.endedBy === null || booking.endedBy === 'guest',
    isProved: booking.mailConfirmedMs !== null,
    url,
    proofUrl: booking.mailConfirmedMs === null ? `${url}?proof=${writeProof(app, booking)}` : url,
    bookUrl,
    isWritten: appointment.calendarId !== null,
    isCertain: booking.state === 'confirmed',
    isRequest: type?.settings.confirmation === true,
    appointmentId: booking.appointmentId,
    isLive: appointment.live,
    versions:
      told.length === 0
        ? [versionOf({ ...booking, startMs, endMs, hostIds: appointment.hostIds, joinUrl: appointment.joinUrl })]
        : told.map(versionOf),
  };
}

type BookingVersion = Version & Pick<Booking, 'id' | 'sequence' | 'guests'>;

/** `versions`: each booking that is told of, as it is now. */
export interface LoadedBooking extends ToldBooking {
  appointmentId: Booking['appointmentId'];
  /** A seat of its appointment is taken. */
  isLive: boolean;
  versions: readonly BookingVersion[];
}

const versionOf = ({
  id,
  sequence,
  guests,
  state,
  startMs,
  endMs,
  hostIds,
  joinUrl,
}: BookingVersion): BookingVersion => ({
  id,
  sequence,
  guests,
  state,
  startMs,
  endMs,
  hostIds,
  joinUrl: joinUrl ?? null,
});

/** Hosts as mails name and reach them; without those who are leaving. */
export const loadHosts = async (db: Database, ids: readonly UserId[]): Promise<ToldHost[]> =>
  (await listMailedHosts(db, ids)).map(toldHost);

type Together = 'alone' | 'same-moment' | ReadonlySet<Booking['id']>;

function isTogether(one: SeriesBooking, booking: Booking, together: Together): boolean {
  if (typeof together !== 'string') return together.has(one.id);
  if (together === 'alone') return one.id === booking.id;
  return one.state === booking.state && momentOf(one) === momentOf(booking) && one.reason === booking.reason;
}

/** Without those that became the same by the act of somebody else, in the same millisecond. */
async function ofOneAct(
  db: Database,
  told: readonly SeriesBooking[],
  { id }: Booking,
  together: Together,
): Promise<readonly SeriesBooking[]> {
  if (together !== 'same-moment' || told.length < 2) return told;
  const actors = await listActors(
    db,
    told.map((one) => one.id),
  );
  return told.filter((one) => actors.get(one.id) === actors.get(id));
}

function seriesOf(
  seriesId: string,
  all: readonly SeriesBooking[],
  { sharedUrl, pageOf }: { sharedUrl: string | null; pageOf: (one: SeriesBooking, sealed: string) => string },
): BookedSeries {
  return {
    uid: uidOf(`series ${seriesId}`),
    sequence: all.reduce((sum, { sequence }) => sum + sequence, 0),
    zone: all[0]?.seriesZone ?? 'UTC',
    times: all
      .map((one) => ({ ...timeOf(one, sharedUrl), ...(one.token === null ? {} : { url: pageOf(one, one.token) }) }))
      .toSorted((a, b) => a.firstMs - b.firstMs),
    leftOutMs: all[0]?.leftOutMs ?? [],
  };
}

const timeOf = (one: SeriesBooking, sharedUrl: string | null) => ({
  firstMs: one.seriesStartMs ?? one.startMs,
  startMs: one.startMs,
  endMs: one.endMs,
  joinUrl: one.joinUrl ?? sharedUrl,
  stands: one.state === 'confirmed',
  guests: one.guests,
});

const toldHost = (host: Host): ToldHost => ({
  id: host.userId,
  name: host.company === null ? host.name : `${host.name}, ${host.company}`,
  email: host.email,
  shownEmail: host.shownEmail,
  zone: host.zone,
  locale: host.locale,
  timeFormat: host.timeFormat,
});

/** When it became what it is, epoch ms. */
const momentOf = ({ endedMs, confirmedMs, createdMs }: Pick<Booking, 'endedMs' | 'confirmedMs' | 'createdMs'>) =>
  endedMs ?? confirmedMs ?? createdMs;
