import type * as z from 'zod/mini';
import type { TeamId } from '#kernel/ids.ts';
import type { teamShape } from './contract.ts';
import type { TeamRole } from './rules.ts';

/** A team as who is in it is shown it. */
export function toShownTeam(of: {
  id: TeamId;
  name: string;
  about: string;
  logoUrl: string | null;
  role: TeamRole;
  shares: 'busy' | 'details';
}): z.output<typeof teamShape> {
  const { id, name, about, logoUrl, role, shares } = of;
  return { id, name, about, logo_url: logoUrl, role, shares };
}
