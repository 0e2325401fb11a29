import type { UserId } from '#kernel/ids.ts';
import type { Action } from './action.ts';
import { gone } from './fact.ts';
import type { Definition, Rule } from './form-definition.ts';

/**
 * The same form without somebody in its pools and conditions; the very same where they are in none. An empty pool is all
 * of its hosts; who looks after a contact is then nobody that can be found.
 */
export function withoutHost(definition: Definition, userId: UserId): Definition {
  const { rules, fallback } = definition;
  const actions = [...rules.map(({ action }) => action), fallback];
  const isOwner = (condition: Rule['conditions'][number]) =>
    (condition.op === 'owner' || condition.op === 'owner-not') && condition.values.includes(userId);
  if (
    !actions.some((action) => action.kind === 'event-type' && action.user_ids?.includes(userId)) &&
    !rules.some(({ conditions }) => conditions.some(isOwner))
  )
    return definition;
  const without = (action: Action): Action => {
    if (action.kind !== 'event-type' || action.user_ids === null) return action;
    const rest = action.user_ids.filter((id) => id !== userId);
    return { ...action, user_ids: rest.length === 0 ? null : rest };
  };
  return {
    ...definition,
    rules: rules.map((rule) => ({
      ...rule,
      conditions: rule.conditions.map((one) =>
        one.op === 'owner' || one.op === 'owner-not'
          ? { ...one, values: one.values.map((id) => (id === userId ? gone : id)) }
          : one,
      ),
      action: without(rule.action),
    })),
    fallback: without(fallback),
  };
}
