/** How coming back from a provider went, in the address of the page that says so. */
export interface ProviderOutcome {
  /** A code: nobody writes their own words onto our pages with an address. */
  problem?: string;
  provider?: string;
  /** The provider that signs this person in from now on. */
  linked?: string;
}

export function readProviderOutcome(raw: Record<string, unknown>): ProviderOutcome & Record<string, unknown> {
  const outcome: ProviderOutcome & Record<string, unknown> = {};
  // a refusal on the way there, told by the server in words of its own
  if (raw.status === 'error') outcome.problem = 'OTHER';
  for (const name of ['problem', 'provider', 'linked'] as const) {
    const value = raw[name];
    if (typeof value === 'string' && /^\w{1,40}$/.test(value)) outcome[name] = value;
  }
  return outcome;
}
