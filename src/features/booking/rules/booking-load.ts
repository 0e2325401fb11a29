/**
 * How much is booked before we ask who does it, and before we stop. Counted are the bookings of the last hour, canceled
 * ones too: otherwise booking and canceling would mail a stranger without end.
 */
export interface Load {
  /** Of the event type. */
  ofType: number;
  ofHost: number;
  /** Of the guest's address, at any host. */
  ofEmail: number;
}

export interface Loads {
  /** Of guests who have not shown that they read the mail of their address. */
  unproved: Load;
  all: Load;
  /** The network has had its bookings without a proof. */
  isBusyNetwork: boolean;
}

const askFrom: Load = { ofType: 20, ofHost: 40, ofEmail: 1 };
const refuseFrom: Load = { ofType: 100, ofHost: 200, ofEmail: 5 };
/** A proof of each address does not make a flood a good one. */
const refuseAllFrom: Load = { ofType: 300, ofHost: 600, ofEmail: 20 };

const reaches = (load: Load, bound: Load) => (Object.keys(bound) as (keyof Load)[]).some((of) => load[of] >= bound[of]);

/** Nothing, or what a guest has to do first; `refuse`: nothing helps for a while. */
export type Verdict = 'take' | 'ask-work' | 'ask-mail' | 'refuse';

/**
 * `ask-mail`: the booking waits until its guest follows the link of a mail. `ask-work`: the same, unless the browser does
 * some work for it first.
 */
export function judgeLoad({ unproved, all, isBusyNetwork }: Loads, more: { guests: number }): Verdict {
  if (reaches(unproved, refuseFrom) || reaches(all, refuseAllFrom)) return 'refuse';
  // addresses that others enter get no mail before one of them has shown to be real
  if (unproved.ofEmail >= askFrom.ofEmail || isBusyNetwork || more.guests > 0) return 'ask-mail';
  return reaches(unproved, askFrom) ? 'ask-work' : 'take';
}

/** How long what is held or waits for a mail keeps its time. */
export const holdMs = 600_000;
export const awaitMailMs = 1_800_000;
export const loadWindowMs = 3_600_000;
/** The link of a mail proves its address for as long: what it may confirm was booked while its own booking waited. */
export const proofMs = 2 * awaitMailMs;

/** Bodies of one network that are read: twice as many as attempts, since a repeated request is none. */
export const bookingBodies = { action: 'booking body per network', burst: 120, periodSeconds: 600 };
/** Attempts of one network, those that fail included. */
export const bookingAttempts = { action: 'booking per network', burst: 60, periodSeconds: 600 } as const;
export const holdAttempts = { action: 'hold per network', burst: 60, periodSeconds: 600 } as const;
export const moveAttempts = { action: 'move per network', burst: 60, periodSeconds: 600 } as const;
/** Bookings of one network that need no proof; from the third on a mail asks for it. */
export const unprovedOfNetwork = { action: 'unproved booking per network', burst: 2, periodSeconds: 3_600 } as const;
/** Bookings of one network that a mail asks about. */
export const askedOfNetwork = { action: 'asked booking per network', burst: 20, periodSeconds: 1_800 } as const;
/** A mail that asks is sent again once an hour to an address. */
export const askedAgain = { action: 'proof mail again per address', burst: 1, periodSeconds: 3_600 } as const;
/** Holds at a time of one network, of the IPv6 site that it is in, and of one event type. */
export const mostHolds = { ofNetwork: 3, ofSite: 9, ofType: 30 } as const;
