export type BreakerState = 'closed' | 'waiting' | 'open' | 'allowed' | 'keeping';

export interface BreakerInput {
  state: BreakerState;
  sinceMs: number | null;
  /** Events whose blocks this plan would remove from the pair's target, and events with live copies there. */
  deletes: number;
  live: number;
  /** The source's last listing was suddenly empty. */
  suspect: boolean;
  /** When the source was last listed completely and successfully. */
  lastListingMs: number | null;
}

/** delete them, hold them back, or let go of the blocks (they stay, and are their owner's). */
export type BreakerVerdict = { removals: 'delete' | 'hold' | 'release'; state: BreakerState; askForListing: boolean };

/** A second listing counts only this long after the first. */
export const secondListingMs = 60_000;

/**
 * Whether a pair's removals may go ahead. More than max(10, 20 %) of its live copies, or any after a suddenly empty
 * listing, wait for a second complete listing at least 60 s later, all of them; if the plan still wants so many then,
 * its owner is asked. Nothing is deleted before that.
 */
export function judgeRemovals(input: BreakerInput): BreakerVerdict {
  if (input.state === 'keeping') return { removals: 'release', state: 'closed', askForListing: false };
  const many = input.deletes > Math.max(10, 0.2 * input.live) || (input.suspect && input.deletes > 0);
  const agreed =
    input.sinceMs !== null && input.lastListingMs !== null && input.lastListingMs >= input.sinceMs + secondListingMs;
  if (input.state === 'waiting' && !agreed) return { removals: 'hold', state: 'waiting', askForListing: true };
  if (!many) return { removals: 'delete', state: 'closed', askForListing: false };
  switch (input.state) {
    case 'allowed':
      return { removals: 'delete', state: 'closed', askForListing: false };
    case 'open':
    case 'waiting':
      return { removals: 'hold', state: 'open', askForListing: false };
    case 'closed':
      return { removals: 'hold', state: 'waiting', askForListing: true };
  }
}
