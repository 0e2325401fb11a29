import { listAway } from '#features/availability/public.ts';
import { listMembers, requirePermission } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import { cleanText } from '#kernel/ical/ical-text.ts';
import type { TeamId } from '#kernel/ids.ts';
import { normalizeSpans } from '#kernel/time/intervals.ts';
import { mostAnswerBytes } from '#kernel/work-limits.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { calendarContract } from './contract.ts';
import { readRange } from './rules/read-range.ts';
import { listBusyOf } from './store/spans.ts';

const mostDays = 31;
/** Longer titles are cut: a lane of a day shows less. */
const titleChars = 200;

type TeamBusy = Output<typeof calendarContract.teamBusy>;

/**
 * When the members of a team are away or busy, and with what only where they share that and the event is not private; of the
 * others not even how many events there are. At most six statements, whatever the number of members.
 *
 * *Errors*: as `requirePermission` of teams; AppError invalid (RANGE).
 */
export async function listTeamBusy(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  actor: Actor,
  teamId: TeamId,
  query: { from: string; to: string },
): Promise<TeamBusy> {
  const range = readRange(query, mostDays);
  await requirePermission(db, actor, teamId, 'see-calendars');
  const members = await listMembers(db, teamId);
  const sharing = new Set(members.filter(({ shares }) => shares === 'details').map(({ userId }) => userId));
  const ids = members.map(({ userId }) => userId);
  const [busy, away] = await Promise.all([
    listBusyOf(db, ids, { ...range, withTitles: [...sharing] }),
    listAway(db, ids, { startMs: range.fromMs, endMs: range.toMs }, clock.nowMs()),
  ]);
  const spansOf = Map.groupBy(busy, ({ userId }) => userId);
  let titleBytes = 0;
  const shortTitle = (title: string | null) => {
    if (title === null) return null;
    const short = cleanText(title, titleChars);
    titleBytes += Buffer.byteLength(short);
    return titleBytes > mostAnswerBytes ? null : short;
  };
  return {
    members: members.map(({ userId, name, email, avatarUrl, zone, shares }) => {
      const spans = spansOf.get(userId) ?? [];
      return {
        user_id: userId,
        name,
        email,
        avatar_url: avatarUrl,
        zone,
        shares,
        away: (away.get(userId) ?? []).map(({ startMs, endMs }) => ({ start: startMs, end: endMs })),
        busy: sharing.has(userId)
          ? spans.map(({ startMs, endMs, title }) => ({ start: startMs, end: endMs, title: shortTitle(title) }))
          : normalizeSpans(spans).map(({ startMs, endMs }) => ({ start: startMs, end: endMs, title: null })),
      };
    }),
  };
}
