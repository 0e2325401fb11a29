/**
 * What a calendar's ctag is worth. A server may find it dearer or cheaper than the list of changes (Radicale, 1,000
 * events: 28 ms of CPU instead of 41), count it in whole seconds (SOGo), or not move it at all; so it is believed only
 * where a report has shown, and shows again every ten minutes, that it stands for the token we hold.
 */
export type TagState =
  /** There is none, or it was seen to stand still while the calendar changed: it is not asked for until the next scrub. */
  | 'useless'
  /** `provenMs`: when it was last read before a report that told nothing new, long enough after it was first seen. */
  | { ctag: string; firstSeenMs: number; provenMs: number | null };

/** A ctag of whole seconds hides a change in the second it was made. */
export const tagSettlesMs = 5_000;
/** A tag that stands still is held against a report so often. */
const proofLastsMs = 600_000;

/** True where a calendar with this ctag stands as it was read last. */
export function provesQuiet(state: TagState | undefined, ctag: string, nowMs: number): boolean {
  if (state === undefined || state === 'useless' || state.ctag !== ctag || state.provenMs === null) return false;
  return nowMs >= state.provenMs && nowMs - state.provenMs < proofLastsMs;
}

/**
 * What is known of the ctag after a report. `asked` is what was read before the report: never after it, or what changed
 * in between would be passed over; undefined where it was not asked for, null where the server has none.
 */
export function tagAfter(
  before: TagState | undefined,
  asked: string | null | undefined,
  report: { sameToken: boolean; nowMs: number },
): TagState | undefined {
  if (before === 'useless' || asked === null) return 'useless';
  if (asked === undefined) return report.sameToken ? before : undefined;
  if (before?.ctag !== asked) return { ctag: asked, firstSeenMs: report.nowMs, provenMs: null };
  // the calendar changed and its tag did not, or the token moves by itself
  if (!report.sameToken) return 'useless';
  const settled = report.nowMs - before.firstSeenMs >= tagSettlesMs;
  return settled ? { ...before, provenMs: report.nowMs } : before;
}
