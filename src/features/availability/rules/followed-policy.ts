import type { PolicyId, UserId } from '#kernel/ids.ts';

/** Which hours count: the person's default, what a policy says, or one version of it for good. */
export type FollowedPolicy =
  | { kind: 'default' }
  | { kind: 'policy'; policyId: PolicyId }
  | { kind: 'version'; policyId: PolicyId; n: number };

export interface OpenHoursOf {
  userId: UserId;
  policy: FollowedPolicy;
}
