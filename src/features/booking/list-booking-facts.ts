import type { BookingId, EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { bookedUrl, bookingTokenPlace, linkPlace, linkUrl } from './rules/booking-address.ts';
import type { BookingActor, BookingChange, BookingState } from './rules/booking-states.ts';
import { type ToldAnswer, tellAnswers } from './rules/check-answers.ts';
import { shownFormerTime } from './rules/moving.ts';
import type { TypeSettings } from './rules/type-settings.ts';
import { type FactRow, listFactRows } from './store/fact-rows.ts';

/** A booking as what follows from it needs it. Times are epoch ms. */
export interface BookingFacts {
  id: BookingId;
  uid: string;
  userId: UserId;
  /** Everybody who takes part as a host, `userId` included. */
  hostIds: readonly UserId[];
  eventTypeId: EventTypeId | null;
  /** Team of the event type. */
  teamId: TeamId | null;
  state: BookingState;
  sequence: number;
  title: string;
  startMs: number;
  endMs: number;
  location: TypeSettings['location'];
  joinUrl: string | null;
  /**
   * `isProved`: shown to this host, with some booking, that they read the mail of the address. `hasConfirmed`: with this one, so
   * that they typed the rest of it.
   */
  guest: {
    name: string;
    email: string;
    phone: string | null;
    zone: string;
    locale: string | null;
    isProved: boolean;
    hasConfirmed: boolean;
  };
  /** Addresses of whom the guest brings. */
  guests: readonly string[];
  answers: readonly ToldAnswer[];
  reason: string | null;
  /** The guest's side typed the reason. */
  isReasonOfGuest: boolean;
  guestNoShow: boolean;
  hostNoShow: boolean;
  createdMs: number;
  confirmedMs: number | null;
  /** The address of the organizer in its invitations, empty for that of the install; null before the first. */
  organizer: string | null;
  last: { what: BookingChange; actor: BookingActor; from: BookingState | null; beforeMs: number | null } | null;
  isFirst: boolean;
  isAlongside: boolean;
  /** Address of the guest's page, which allows changes of the booking. */
  url: string | null;
  /** Where something like it can be booked. */
  bookUrl: string | null;
  /** The link that its guest booked by, while it can be used: for that guest only. */
  linkUrl: string | null;
}

/** Several bookings in one statement; what is only held, or gone, is left out. */
export async function listBookingFacts(
  { keyring, config, clock }: Pick<App, 'keyring' | 'config' | 'clock'>,
  db: Database,
  ids: readonly BookingId[],
): Promise<Map<BookingId, BookingFacts>> {
  const rows = await listFactRows(db, ids, clock.nowMs());
  return new Map(
    rows.map((row) => {
      const url =
        row.token === null ? null : bookedUrl(config.publicUrl, keyring.open(row.token, bookingTokenPlace(row.id)));
      const bookUrl = row.handle === null || row.slug === null ? null : `${config.publicUrl}/${row.handle}/${row.slug}`;
      const { linkId, linkToken } = row;
      const ownUrl =
        linkId === null || linkToken === null
          ? null
          : linkUrl(config.publicUrl, keyring.open(linkToken, linkPlace(linkId)));
      return [row.id, { ...toFacts(row), url, bookUrl, linkUrl: ownUrl }] as const;
    }),
  );
}

function toFacts(row: FactRow): Omit<BookingFacts, 'url' | 'bookUrl' | 'linkUrl'> {
  const { id, uid, userId, hostIds, eventTypeId, teamId, state, sequence, title, startMs, endMs, location, last } = row;
  const { guests, reason, guestNoShow, hostNoShow, createdMs, confirmedMs, organizer, isFirst, isAlongside } = row;
  const from = last?.details.from;
  return {
    id,
    uid,
    userId,
    hostIds,
    eventTypeId,
    teamId,
    state,
    sequence,
    title,
    startMs,
    endMs,
    location,
    joinUrl: row.joinUrl ?? (location.kind === 'link' ? location.url : null),
    guest: {
      name: row.guestName,
      email: row.guestEmail,
      phone: row.guestPhone ?? phoneAnswer(row),
      zone: row.guestZone,
      locale: row.language,
      isProved: row.isProved,
      hasConfirmed: row.mailConfirmedMs !== null,
    },
    guests,
    answers: tellAnswers(row.asked, row.answers),
    reason,
    isReasonOfGuest: row.endedBy === null || row.endedBy === 'guest',
    guestNoShow,
    hostNoShow,
    createdMs,
    confirmedMs,
    organizer,
    last:
      last === null
        ? null
        : {
            what: last.what,
            actor: last.actor,
            from: typeof from === 'string' ? (from as BookingState) : null,
            beforeMs: last.what !== 'rescheduled' && last.what !== 'confirmed' ? null : formerStart(row),
          },
    isFirst,
    isAlongside,
  };
}

/** The former time, as in mails about the booking; of a booking that nobody was told of, the one before the move. */
function formerStart({ told, startMs, last }: FactRow): number | null {
  if (told !== null) return shownFormerTime(told, startMs)?.startMs ?? null;
  const from = last?.details.from;
  return typeof from === 'object' && from !== null ? ((from as { startMs?: number }).startMs ?? null) : null;
}

/** Returns the answer to the first question for a phone number. */
function phoneAnswer({ asked: questions, answers }: FactRow): string | null {
  const asked = questions.find(({ id, kind }) => kind === 'phone' && typeof answers[id] === 'string');
  return asked === undefined ? null : String(answers[asked.id]);
}
