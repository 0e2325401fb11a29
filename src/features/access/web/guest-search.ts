/** Where the person wanted to go before they were asked who they are. */
export interface GuestSearch {
  from?: string;
}

export function readGuestSearch(raw: Record<string, unknown>): GuestSearch & Record<string, unknown> {
  return typeof raw.from === 'string' ? { from: raw.from } : {};
}
