/** The cards of the overview, and what each of them opens. */
export const cardIds = [
  'activeUsers',
  'systemHealth',
  'syncReliability',
  'integrations',
  'revenue',
  'subscriptions',
] as const;
export type CardId = (typeof cardIds)[number];
