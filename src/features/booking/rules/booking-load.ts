/**
 * Bookings of the last hour, which decide what a new one has to show. Canceled ones count too: otherwise booking and
 * canceling would mail a stranger without end.
 */
export interface Load {
  /** Load of the event type. */
  ofType: number;
  ofHost: number;
}

export interface Loads {
  /** Load by guests who have not verified their address. */
  unproved: Load;
  all: Load;
  address: AddressLoad;
  network: NetworkLoad;
}

/** Bookings of the guest's address. Anybody can enter it: those of others must not keep its reader from booking. */
export interface AddressLoad {
  /** At any host. */
  unproved: number;
  /** With this host or team. */
  unprovedHere: number;
  provedHere: number;
  /** Its reader has once confirmed it with this host or team. */
  isKnown: boolean;
}

/**
 * Bookings of a guest's network. `few`: it may book without a proof. `many`: a mail asks for one. `too-many-under-load`: an
 * overloaded host takes no more of it for a while. `unknown`: a proxy does not say for whom it asks.
 */
export type NetworkLoad = 'few' | 'many' | 'too-many-under-load' | 'unknown';

/** Unproved bookings from which a browser works, or a mail asks for a proof. */
const workFrom = { ofType: 20, ofHost: 40 };
/** Bookings from which a mail asks every guest for a proof, and each network has a limit of its own. */
const mailFrom = { unproved: { ofType: 100, ofHost: 200 }, all: { ofType: 300, ofHost: 600 } };
/** Unproved bookings from which guests of unknown networks are refused: their networks have no limits of their own. */
const refuseUnknownFrom = { ofType: 500, ofHost: 1_000 };
/** Bookings of one address with one host from which it is refused: on networks that have booked before, and by its reader. */
const refuseAddressFrom = { unproved: 5, proved: 20 };

const reaches = (load: Load, limits: Partial<Load>) =>
  (Object.entries(limits) as [keyof Load, number][]).some(([of, limit]) => load[of] >= limit);

/** The next step of a new booking. `refuse` concerns one address or one network, never everybody. */
export type Verdict = 'take' | 'ask-work' | 'ask-mail' | 'refuse';

/**
 * `ask-mail`: the booking waits until its guest follows the link of a mail. `ask-work`: the same, unless the browser does
 * some work for it first.
 */
export function judgeLoad({ unproved, all, address, network }: Loads, more: { guests: number }): Verdict {
  if (address.provedHere >= refuseAddressFrom.proved) return 'refuse';
  if (!address.isKnown && network !== 'few' && address.unprovedHere >= refuseAddressFrom.unproved) return 'refuse';
  if (network === 'unknown' && reaches(unproved, refuseUnknownFrom)) return 'refuse';
  if (reaches(unproved, mailFrom.unproved) || reaches(all, mailFrom.all))
    return network === 'too-many-under-load' ? 'refuse' : 'ask-mail';
  // addresses that others enter get no mail before one of them has shown to be real
  const isBusyNetwork = network === 'many' || network === 'too-many-under-load';
  if (address.unproved >= 1 || isBusyNetwork || more.guests > 0) return 'ask-mail';
  return reaches(unproved, workFrom) ? 'ask-work' : 'take';
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
/** Further bookings of one network that an overloaded host takes. */
export const askedUnderLoad = { action: 'asked booking under load', burst: 3, periodSeconds: 1_800 } as const;
/** Unproved addresses that are brought along in a day: by one guest, from one network, and to the pages of a host or team. */
export const broughtByGuest = { action: 'brought along by guest', burst: 30, periodSeconds: 86_400 } as const;
export const broughtByNetwork = { action: 'brought along per network', burst: 30, periodSeconds: 86_400 } as const;
export const broughtToHost = { action: 'brought along to host', burst: 200, periodSeconds: 86_400 } as const;
/** The same past the 200 of a host or team, by a guest who has confirmed their address there: strangers use up the 200. */
export const broughtByKnown = { action: 'brought along by known guest', burst: 5, periodSeconds: 86_400 } as const;
/** A mail of a host that asks is sent again once in ten minutes to an address: its time is kept for half an hour. */
export const askedAgain = { action: 'proof mail again per host and address', burst: 1, periodSeconds: 600 } as const;
/** Messages to the hosts of a booking, by its page: of one network, of one guest to one host, and of one booking. */
export const messageAttempts = { action: 'message per network', burst: 30, periodSeconds: 600 } as const;
export const messagesOfGuest = { action: 'message per guest', burst: 10, periodSeconds: 86_400 } as const;
export const messagesOfBooking = { action: 'message per booking', burst: 5, periodSeconds: 86_400 } as const;
/** The same before the address of the booking is confirmed: of one address to one host, of one network, and to one host. */
export const messagesBeforeProof = {
  ofGuest: { action: 'message before proof per guest', burst: 2, periodSeconds: 86_400 },
  ofNetwork: { action: 'message before proof per network', burst: 3, periodSeconds: 86_400 },
  toHost: { action: 'message before proof to host', burst: 20, periodSeconds: 86_400 },
} as const;
/** Holds at a time of one network, of the IPv6 site that it is in, and of one event type. */
export const mostHolds = { ofNetwork: 3, ofSite: 9, ofType: 30 } as const;
