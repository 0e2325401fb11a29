import type { PolicyId } from '#kernel/ids.ts';
import { printInstant } from '#kernel/time/local.ts';
import type { DefaultSince } from './versions-in-force.ts';

/** Something that cannot do without a policy. */
export interface PolicyUse {
  kind: string;
  id: string;
  name: string;
}

/** The policy that is a person's default at an instant; undefined before the first. */
export function activeOf(defaults: readonly DefaultSince[], nowMs: number): PolicyId | undefined {
  return defaults.findLast(({ fromMs }) => fromMs <= nowMs)?.policyId;
}

/** Everything that holds a policy in its place: being the default now or later, and what follows it. */
export function usesOf(
  policy: { policyId: PolicyId; name: string },
  defaults: readonly DefaultSince[],
  followers: readonly (PolicyUse & { policyId: PolicyId })[],
  nowMs: number,
): PolicyUse[] {
  const { policyId, name } = policy;
  const isActive = activeOf(defaults, nowMs) === policyId;
  const later = defaults.filter((one) => one.policyId === policyId && one.fromMs > nowMs);
  return [
    ...(isActive ? [{ kind: 'active', id: policyId, name }] : []),
    ...later.map(({ fromMs }) => ({ kind: 'scheduled', id: printInstant(fromMs), name })),
    ...followers
      .filter((one) => one.policyId === policyId)
      .map((one) => ({ kind: one.kind, id: one.id, name: one.name })),
  ];
}
