/**
 * How much is booked before we ask who does it, and before we stop. Counted are the bookings of the last hour whose guests
 * have not shown that they read the mail of their address.
 */
export interface Load {
  /** Of the event type. */
  ofType: number;
  ofHost: number;
  /** Of the guest's address, at any host. */
  ofEmail: number;
}

const askFrom: Load = { ofType: 20, ofHost: 40, ofEmail: 1 };
const refuseFrom: Load = { ofType: 100, ofHost: 200, ofEmail: 5 };

const reaches = (load: Load, bound: Load) => (Object.keys(bound) as (keyof Load)[]).some((of) => load[of] >= bound[of]);

/** `ask-mail`: the booking waits until its guest follows the link of a mail. */
export function judgeLoad(load: Load, more: { guests: number }): 'take' | 'ask-mail' | 'refuse' {
  if (reaches(load, refuseFrom)) return 'refuse';
  // addresses that others enter get no mail before one of them has shown to be real
  return reaches(load, askFrom) || more.guests > 0 ? 'ask-mail' : 'take';
}

/** One mail an hour to an address that nobody has shown to read: its link confirms what waits. */
export const isMailed = (load: Load) => load.ofEmail > 0;

/** How long what is held or waits for a mail keeps its time. */
export const holdMs = 600_000;
export const awaitMailMs = 1_800_000;
export const loadWindowMs = 3_600_000;

/** Attempts of one network, those that fail included. */
export const bookingAttempts = { action: 'booking per network', burst: 60, periodSeconds: 600 } as const;
export const holdAttempts = { action: 'hold per network', burst: 60, periodSeconds: 600 } as const;
/** Holds of one network at a time, and of one event type. */
export const mostHolds = { ofNetwork: 3, ofType: 30 } as const;
