import type { PolicyId } from '#kernel/ids.ts';
import { minuteMs } from '#kernel/time/civil.ts';

/** A version and since when it is its policy's newest. */
export interface PolicyVersion {
  policyId: PolicyId;
  n: number;
  createdMs: number;
}

/** From when on a policy is a person's default. */
export interface DefaultSince {
  policyId: PolicyId;
  fromMs: number;
}

export interface InForce<Version> {
  version: Version;
  /** Until the next begins. */
  fromMs: number;
}

export const always = Number.MIN_SAFE_INTEGER;

/** Hours change at a whole minute: the one in which somebody said so. */
const wholeMinute = (ms: number) => Math.floor(ms / minuteMs) * minuteMs;

/** Which version of a policy holds when: the first since ever, each from the minute of its creation. *Shape*: sorted. */
export function versionsOf<Version extends PolicyVersion>(
  versions: readonly Version[],
  policyId: PolicyId,
): InForce<Version>[] {
  return versions
    .filter((version) => version.policyId === policyId)
    .sort((a, b) => a.n - b.n)
    .map((version, i) => ({ version, fromMs: i === 0 ? always : wholeMinute(version.createdMs) }));
}

/** Which version holds when by a person's defaults. *Shape*: sorted; empty before the first default. */
export function defaultInForce<Version extends PolicyVersion>(
  defaults: readonly DefaultSince[],
  versions: readonly Version[],
): InForce<Version>[] {
  const sorted = defaults.toSorted((a, b) => a.fromMs - b.fromMs);
  return sorted.flatMap(({ policyId, fromMs: saidMs }, i) => {
    const fromMs = wholeMinute(saidMs);
    const endMs = wholeMinute(sorted[i + 1]?.fromMs ?? Number.MAX_SAFE_INTEGER);
    const own = versionsOf(versions, policyId);
    return own
      .filter((one, at) => one.fromMs < endMs && (own[at + 1]?.fromMs ?? Number.MAX_SAFE_INTEGER) > fromMs)
      .map((one) => ({ version: one.version, fromMs: Math.max(fromMs, one.fromMs) }));
  });
}

/** The one that holds at an instant. */
export function inForceAt<Version>(list: readonly InForce<Version>[], atMs: number): Version | undefined {
  return list.findLast(({ fromMs }) => fromMs <= atMs)?.version;
}
