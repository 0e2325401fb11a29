import type * as z from 'zod/mini';
import type { mirrorRulePatchShape, syncSettingsShape } from '../contract.ts';

export type SyncSettings = z.output<typeof syncSettingsShape>;

export const defaultSettings: SyncSettings = {
  pastDays: null,
  futureDays: null,
  pollSeconds: null,
  onStale: 'warn',
  staleAfterMinutes: 30,
};

/** A group's own words over what its person wants of all groups. */
export function underSettings(
  { pastDays, futureDays }: Pick<SyncSettings, 'pastDays' | 'futureDays'>,
  rule: z.output<typeof mirrorRulePatchShape>,
): z.output<typeof mirrorRulePatchShape> {
  return {
    ...(pastDays === null ? {} : { pastDays }),
    ...(futureDays === null ? {} : { futureDays }),
    ...rule,
  };
}
