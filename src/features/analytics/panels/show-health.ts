import { capabilitiesOf, faceOf } from '#features/connections/public.ts';
import type { Figures } from '../load-figures.ts';
import type { RowOf } from '../rules/explanation.ts';
import { maskAccount, maskName, pendingSlaMs, scoreAll, scoreCalendar } from '../rules/health.ts';
import { listStates } from '../store/read-calendars.ts';

/** Null for a team: calendars are each person's own. */
export async function showHealth({ db, question: { scope, nowMs, callerId } }: Figures) {
  if (scope.teamId !== null) return { data: null, numerator: null, denominator: null, rows: () => [] };
  const states = await listStates(db, callerId, { nowMs, pendingSlaMs });
  const scored = states.map((state) => {
    const { push, pollSeconds } = capabilitiesOf(state);
    const { isChecked, isTarget, failures, pushLive, ops, failedOps, total, created, pendingYoung } = state;
    const ageSec = state.lastSyncedMs === null ? null : Math.max(0, Math.round((nowMs - state.lastSyncedMs) / 1_000));
    const score = scoreCalendar({
      ageSec,
      pushLive,
      canPush: push,
      pollSec: state.pollSeconds ?? pollSeconds,
      mirrors: { total, created, pendingYoung },
      ops,
      failedOps,
      failures,
      hasAccess: state.status !== 'needs-reconnect',
      isChecked,
      isTarget: isTarget || total > 0,
    });
    return { state, ageSec, isChecked, ...score };
  });
  const data = {
    total_connected: states.length,
    sync_health_score: scoreAll(scored),
    connected_calendars: scored.map(({ state, ageSec, status, score, weight, parts }) => ({
      calendar_id: state.id,
      name: maskName(state.name),
      provider: faceOf(state).word,
      account: maskAccount(state.label),
      status,
      last_sync_sec: ageSec,
      score,
      weight,
      parts,
    })),
  };
  const rows = (): RowOf[] =>
    scored.map(({ state, status, score, weight }) => ({
      kind: 'calendar',
      id: state.id,
      title: maskName(state.name),
      atMs: state.lastSyncedMs,
      part: status,
      numerator: score * weight,
      denominator: weight,
    }));
  const sum = (of: 'numerator' | 'denominator') => rows().reduce((all, row) => all + row[of], 0);
  return { data, numerator: sum('numerator'), denominator: sum('denominator'), rows };
}
