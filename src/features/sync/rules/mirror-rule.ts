import type * as z from 'zod/mini';
import type { mirrorRulePatchShape, mirrorRuleShape } from '../contract.ts';

export type MirrorRule = z.output<typeof mirrorRuleShape>;
export type MirrorRulePatch = z.output<typeof mirrorRulePatchShape>;

/** The default rule of a new group. */
export const defaultMirrorRule: MirrorRule = {
  events: 'busy',
  privacy: 'busy',
  titleTemplate: 'Busy',
  allDay: 'mirror',
  hours: null,
  includeKeywords: [],
  excludeKeywords: [],
  pastDays: 1,
  futureDays: 180,
  color: null,
  kind: 'default',
  // an invitation may never have reached the target's calendar: a block too many is better than one too few
  skipIfTargetInvited: false,
  onUserEdit: 'restore',
};

/** The rule in force for a pair: its own words first, then the group's, then the product's. */
export function mirrorRuleOf(group: MirrorRulePatch, pair: MirrorRulePatch = {}): MirrorRule {
  return { ...defaultMirrorRule, ...dropAbsent(group), ...dropAbsent(pair) };
}

function dropAbsent(patch: MirrorRulePatch): MirrorRulePatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as MirrorRulePatch;
}
