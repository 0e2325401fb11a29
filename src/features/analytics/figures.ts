import { loadOwnerZone } from '#features/accounts/public.ts';
import { findEntitlement, isBillingOn } from '#features/billing/public.ts';
import { findOwnerId, listMemberIds, may, requirePermission } from '#features/teams/public.ts';
import { AppError, part } from '#kernel/errors.ts';
import type { BookingId, CalendarId, EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import { containsMs } from '#kernel/time/intervals.ts';
import { printInstant } from '#kernel/time/local.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import type { BookingFact } from './rules/count-booking.ts';
import { type DaySums, onlyOver, sumByDay } from './rules/day-sums.ts';
import { type Explanation, explain, type RowOf } from './rules/explanation.ts';
import type { MeetingSource, Panel, Perspective } from './rules/measures.ts';
import { type Days, dateOf, dayOf, longestDays, monthPeriod, type Period, readPeriod, spanOf } from './rules/period.ts';
import { findDaySums } from './store/fact-rows.ts';
import { findOutline, listBookingNames, listCounting, listStarting, type Outline } from './store/read-facts.ts';

/** The query of a call. */
export interface Asked {
  from?: string | undefined;
  to?: string | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  event_type_id?: readonly EventTypeId[] | undefined;
  team_id?: TeamId | undefined;
  member_id?: UserId | undefined;
  source?: MeetingSource | undefined;
  calendar_id?: CalendarId | undefined;
  zone?: string | undefined;
  explain?: '1' | undefined;
  timezone?: string | undefined;
  perspective?: Perspective | undefined;
}

/** The bookings that a question covers. */
interface Scope {
  /** Null: every host of the team. */
  hostId: UserId | null;
  teamId: TeamId | null;
  eventTypeIds: readonly EventTypeId[] | null;
  calendarId: CalendarId | null;
  source: MeetingSource | null;
}

/** A call that may be answered. */
interface Question {
  callerId: UserId;
  scope: Scope;
  period: Period;
  nowMs: number;
  /** The clock for the hours of popular slots. */
  view: { zone: Zone; perspective: Perspective };
  explain: boolean;
  /** The hosts whose time counts: the members of a team, or the caller. */
  memberIds: readonly UserId[];
  /** Whether the caller may read with whom bookings are. */
  seesGuests: boolean;
}

/**
 * The scope and the period of a call: the caller's bookings, or a team's if they may see them. Two statements at most.
 * *Errors*: AppError invalid (RANGE, MEMBER_WITHOUT_TEAM), not-found, forbidden (also PLAN_LIMIT).
 */
export async function resolveQuestion(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  actor: { userId: UserId },
  asked: Asked,
  usual: 'days' | 'month' = 'days',
): Promise<Question> {
  const { db } = app;
  const nowMs = app.clock.nowMs();
  const { team_id: teamId = null, member_id: memberId } = asked;
  if (teamId === null && memberId !== undefined)
    throw new AppError('invalid', 'MEMBER_WITHOUT_TEAM', 'Select a team to filter by member.');
  const [ownZone, membership, members] = await Promise.all([
    loadOwnerZone(db, actor.userId),
    teamId === null ? null : requirePermission(db, actor, teamId, 'see-analytics'),
    teamId === null ? Promise.resolve<UserId[]>([]) : listMemberIds(db, teamId),
  ]);
  if (memberId !== undefined && !members.includes(memberId))
    throw new AppError('not-found', 'NOT_FOUND', "This person isn't in the team.");
  const zone = zoneOf(asked.zone ?? ownZone);
  const from = asked.from ?? asked.start_date;
  const to = asked.to ?? asked.end_date;
  const isMonth = usual === 'month' && from === undefined && to === undefined;
  const period = isMonth ? monthPeriod(zone, nowMs) : readPeriod({ from, to }, zone, nowMs);
  if (period === null)
    throw new AppError('invalid', 'RANGE', `Choose a range of up to ${longestDays} days that ends after it begins.`);
  await requireHistory(app, { userId: actor.userId, teamId }, dayOf(zone, nowMs) - period.firstDay);
  return {
    callerId: actor.userId,
    scope: {
      hostId: teamId === null ? actor.userId : (memberId ?? null),
      teamId,
      eventTypeIds: asked.event_type_id === undefined || asked.event_type_id.length === 0 ? null : asked.event_type_id,
      calendarId: asked.calendar_id ?? null,
      source: asked.source ?? null,
    },
    period,
    nowMs,
    view: { zone: zoneOf(asked.timezone ?? asked.zone ?? ownZone), perspective: asked.perspective ?? 'organizer' },
    explain: asked.explain !== undefined,
    memberIds: teamId === null ? [actor.userId] : memberId === undefined ? members : [memberId],
    seesGuests: membership === null || may(membership.role, 'see-bookings'),
  };
}

/** How far back figures go is a matter of the plan. */
async function requireHistory(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  whose: { userId: UserId; teamId: TeamId | null },
  daysBack: number,
): Promise<void> {
  const history = await findHistory(app, whose);
  if (history === null || daysBack <= history.days) return;
  const { days, plan } = history;
  throw new AppError(
    'forbidden',
    'PLAN_LIMIT',
    `${plan === null ? part('Without a plan,') : part(`With your plan (${plan}),`)} you can see the last ${days} days. Older data is kept. Choose fewer days, or another plan under Billing.`,
    { fields: { thing: 'history', limit: String(days), address: '/billing' } },
  );
}

const zoneOf = (name: string) => loadZone(name) ?? utc;

/** Whether the sums that are kept of a person answer it. */
const isPlain = ({ teamId, eventTypeIds, calendarId, source }: Scope) =>
  teamId === null && eventTypeIds === null && calendarId === null && (source === null || source === 'direct');

/** How far back figures go with a plan, in days before today, and the plan's name; null: as far as anything was recorded. */
export async function findHistory(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  { userId, teamId }: { userId: UserId; teamId: TeamId | null },
): Promise<{ days: number; plan: string | null } | null> {
  if (!isBillingOn(app.config)) return null;
  // a team's is that of its owner
  const payer = teamId === null ? userId : await findOwnerId(app.db, teamId);
  if (payer === null) return null;
  const { plan, limits } = await findEntitlement(app, app.db, payer);
  return limits.historyDays === null ? null : { days: limits.historyDays, plan: plan?.name ?? null };
}

/** The days that were answered for. */
export const rangeView = ({ period: { firstDay, endDay, zone, previous } }: Question) => ({
  from: dateOf(firstDay),
  to: dateOf(endDay),
  zone: zone.id,
  previous: { from: dateOf(previous.firstDay), to: dateOf(previous.endDay) },
});

/** The data that panels share, read once for all of them. */
export interface Figures {
  question: Question;
  db: Database;
  /** By day, of the period and the one before; what is not over yet left out where that matters. */
  sums(): Promise<DaySums>;
  /** Bookings that start in the period or the one before. */
  starting(): Promise<readonly BookingFact[]>;
  /** The first booking, and the number of upcoming ones. */
  outline(): Promise<Outline>;
  /** Bookings that count something in the period. */
  counting(): Promise<readonly BookingFact[]>;
}

/** Bookings are direct: another source has none. */
export const hasBookings = ({ source }: Scope) => source === null || source === 'direct';

export function createFigures(db: Database, question: Question): Figures {
  const { scope, period, nowMs } = question;
  const { zone } = period;
  const both: Days = { firstDay: period.previous.firstDay, endDay: period.endDay };
  const starting = once(async () => (hasBookings(scope) ? listStarting(db, scope, spanOf(both, zone)) : []));
  const sums = once(async () => {
    const kept =
      isPlain(scope) && scope.hostId !== null ? findDaySums(db, scope.hostId, zone.id, both) : Promise.resolve(null);
    const [found, facts] = await Promise.all([kept, starting()]);
    return onlyOver(found ?? sumByDay(await listBoth(), zone, both), facts, zone, nowMs);
  });
  const listBoth = async () => (hasBookings(scope) ? listCounting(db, scope, spanOf(both, zone)) : []);
  const counting = once(async () => (hasBookings(scope) ? listCounting(db, scope, spanOf(period, zone)) : []));
  const outline = once(async () =>
    hasBookings(scope) ? findOutline(db, scope, spanOf(period, zone), nowMs) : { firstMadeMs: null, upcoming: 0 },
  );
  return { question, db, sums, starting, outline, counting };
}

/** Bookings that start within the days. */
export function startingIn(facts: readonly BookingFact[], days: Days, { period }: Question): BookingFact[] {
  const span = spanOf(days, period.zone);
  return facts.filter(({ startMs }) => containsMs(span, startMs));
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => (loaded ??= load());
}

/** A figure, and what it is made of. */
export interface Figure<Data> {
  data: Data;
  /** Both parts of the quotient. Rows of bookings get their titles when they are shown. */
  numerator: number | null;
  denominator: number | null;
  rows(): Promise<readonly RowOf[]> | readonly RowOf[];
}

/** A figure opened to its rows; one statement more for what bookings are called. */
export async function explainFigure(
  { db, question }: Figures,
  panel: Panel,
  figure: Figure<unknown>,
  most?: number,
): Promise<Explanation> {
  const { shown, ...rest } = explain(panel, await figure.rows(), figure, most);
  const bookings = shown.filter(({ kind }) => kind === 'booking').map(({ id }) => id as BookingId);
  const told = await listBookingNames(db, [...new Set(bookings)]);
  return {
    ...rest,
    rows: shown.map(({ kind, id, title = null, with: whom = null, atMs, part, numerator, denominator, ...row }) => {
      const one = told.get(id as BookingId);
      const bookingId = kind === 'booking' ? id : (row.bookingId ?? null);
      return {
        kind,
        id,
        booking_id: question.seesGuests ? bookingId : null,
        event_id: row.eventId ?? null,
        title: one?.title ?? title,
        with: question.seesGuests ? (one?.guestName ?? whom) : null,
        at: atMs === null ? null : printInstant(atMs),
        part,
        numerator,
        denominator,
      };
    }),
  };
}
