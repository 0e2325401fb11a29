/** Flags that the operator can switch, for some people or for all. Texts: `adminSettings.flag.<flag>`. */
export const flagNames = ['published-feeds', 'weekly-digest'] as const;
export type FlagName = (typeof flagNames)[number];

export interface Flag {
  name: FlagName;
  enabled: boolean;
  /** Percent of people it is on for. */
  rollout: number;
}

/** Until somebody switches it. */
export const untouched = { enabled: true, rollout: 100 } as const;
