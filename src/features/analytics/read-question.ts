import { loadOwnerZone } from '#features/accounts/public.ts';
import { listMemberIds, may, requirePermission } from '#features/teams/public.ts';
import { AppError, part } from '#kernel/errors.ts';
import type { CalendarId, EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import type { App } from '#platform/app.ts';
import { findHistory } from './find-history.ts';
import type { MeetingSource, Perspective } from './rules/measures.ts';
import { dayOf, longestDays, monthPeriod, type Period, readPeriod } from './rules/period.ts';

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
export interface Scope {
  /** Null: every host of the team. */
  hostId: UserId | null;
  teamId: TeamId | null;
  eventTypeIds: readonly EventTypeId[] | null;
  calendarId: CalendarId | null;
  source: MeetingSource | null;
}

/** A call that may be answered. */
export interface Question {
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
export async function readQuestion(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  actor: { userId: UserId },
  asked: Asked,
  usual: 'days' | 'month' = 'days',
): Promise<Question> {
  const { db } = app;
  const nowMs = app.clock.nowMs();
  const { team_id: teamId = null, member_id: memberId } = asked;
  if (teamId === null && memberId !== undefined)
    throw new AppError('invalid', 'MEMBER_WITHOUT_TEAM', 'A member is one of a team: name the team too.');
  const [ownZone, membership, members] = await Promise.all([
    loadOwnerZone(db, actor.userId),
    teamId === null ? null : requirePermission(db, actor, teamId, 'see-analytics'),
    teamId === null ? Promise.resolve<UserId[]>([]) : listMemberIds(db, teamId),
  ]);
  if (memberId !== undefined && !members.includes(memberId))
    throw new AppError('not-found', 'NOT_FOUND', 'There is nobody like that in this team.');
  const zone = zoneOf(asked.zone ?? ownZone);
  const from = asked.from ?? asked.start_date;
  const to = asked.to ?? asked.end_date;
  const isMonth = usual === 'month' && from === undefined && to === undefined;
  const period = isMonth ? monthPeriod(zone, nowMs) : readPeriod({ from, to }, zone, nowMs);
  if (period === null)
    throw new AppError(
      'invalid',
      'RANGE',
      `Ask for days of which the last comes after the first, at most ${longestDays} of them.`,
    );
  await demandHistory(app, { userId: actor.userId, teamId }, dayOf(zone, nowMs) - period.firstDay);
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
async function demandHistory(
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
    `${plan === null ? part('Without a plan') : part(`With this plan (${plan})`)} figures go back ${days} days. All that was recorded is kept: choose fewer days, or another plan under Billing.`,
    { fields: { thing: 'history', limit: String(days), address: '/billing' } },
  );
}

const zoneOf = (name: string) => loadZone(name) ?? utc;

/** Whether the sums that are kept of a person answer it. */
export const isPlain = ({ teamId, eventTypeIds, calendarId, source }: Scope) =>
  teamId === null && eventTypeIds === null && calendarId === null && (source === null || source === 'direct');
