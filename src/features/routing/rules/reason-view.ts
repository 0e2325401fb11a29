import type { RuleReason } from './decide.ts';

export const toReasonView = ({ ruleId, fits, held }: RuleReason) => ({ rule_id: ruleId, fits, held });
