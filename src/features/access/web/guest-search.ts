import { type ProviderOutcome, readProviderOutcome } from './provider-outcome.ts';

/** Where the person wanted to go before they were asked who they are. */
export interface GuestSearch extends ProviderOutcome {
  from?: string;
}

export function readGuestSearch(raw: Record<string, unknown>): GuestSearch & Record<string, unknown> {
  return { ...readProviderOutcome(raw), ...(typeof raw.from === 'string' ? { from: raw.from } : {}) };
}

/** An invitation to set up the install; its link is printed at the start. */
export interface SignUpSearch extends GuestSearch {
  setup?: string;
}

export function readSignUpSearch(raw: Record<string, unknown>): SignUpSearch & Record<string, unknown> {
  return { ...readGuestSearch(raw), ...(raw.setup === undefined ? {} : { setup: textOf(raw.setup) }) };
}

/** What the link of a mail carries; empty where something is missing. */
export interface LinkSearch {
  email: string;
  code: string;
}

export function readLinkSearch(raw: Record<string, unknown>): LinkSearch & Record<string, unknown> {
  return { email: textOf(raw.email), code: textOf(raw.code) };
}

/** The router reads a code of figures as a number. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
