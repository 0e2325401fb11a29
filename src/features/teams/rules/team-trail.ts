/** What the trail of a team tells. A kind is never renamed or taken away: rows are kept for a year. */
export const teamDeeds = [
  'team-created',
  'team-changed',
  'logo-changed',
  'handle-changed',
  'member-invited',
  'invitation-withdrawn',
  'invitation-declined',
  'member-joined',
  'role-changed',
  'sharing-changed',
  'member-removed',
  'member-left',
  'transfer-asked',
  'transfer-withdrawn',
  'transfer-declined',
  'transfer-accepted',
  'team-deleted',
  'team-restored',
] as const;
export type TeamDeed = (typeof teamDeeds)[number];

/** A few plain values: `{ role: 'admin' }`. Never a secret. */
export type DeedDetails = Readonly<Record<string, string>>;
