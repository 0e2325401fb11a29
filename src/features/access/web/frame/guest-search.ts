/** Where the person wanted to go before they were asked who they are. */
export interface GuestSearch {
  from?: string;
}

export const readGuestSearch = (raw: Record<string, unknown>): GuestSearch & Record<string, unknown> =>
  typeof raw.from === 'string' ? { from: raw.from } : {};
