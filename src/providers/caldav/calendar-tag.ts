/**
 * The state of trust in a calendar's ctag. The ctag can cost the server more or less than the list of changes
 * (Radicale, 1,000 events: 28 ms of CPU instead of 41). Servers may count it in whole seconds (SOGo), or never move it.
 * A ctag is trusted only after a report has shown that it matches our token. A report checks this again every ten
 * minutes.
 */
export type TagState =
  /**
   * Without a ctag, or with one that stayed the same while the calendar changed: not requested until the next scrub.
   */
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
 * Returns the state of the ctag after a report. `asked` is the value from before the report: a later one would hide
 * changes in between. Undefined if it was not requested, null if the server has none.
 */
export function tagAfter(
  before: TagState | undefined,
  asked: string | null | undefined,
  report: { sameToken: boolean; nowMs: number },
): TagState | undefined {
  if (before === 'useless' || asked === null) return 'useless';
  if (asked === undefined) return report.sameToken ? before : undefined;
  if (before?.ctag !== asked) return { ctag: asked, firstSeenMs: report.nowMs, provenMs: null };
  // the calendar changed and its tag did not, or the token changes without a change
  if (!report.sameToken) return 'useless';
  const settled = report.nowMs - before.firstSeenMs >= tagSettlesMs;
  return settled ? { ...before, provenMs: report.nowMs } : before;
}
