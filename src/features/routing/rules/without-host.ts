import type { UserId } from '#kernel/ids.ts';
import type { Action } from './action.ts';
import type { Definition } from './form-definition.ts';

/** The same form without somebody in its pools; the very same where they are in none. An empty pool is all of its hosts. */
export function withoutHost(definition: Definition, userId: UserId): Definition {
  const { rules, fallback } = definition;
  const actions = [...rules.map(({ action }) => action), fallback];
  if (!actions.some((action) => action.kind === 'event-type' && action.user_ids?.includes(userId))) return definition;
  const without = (action: Action): Action => {
    if (action.kind !== 'event-type' || action.user_ids === null) return action;
    const rest = action.user_ids.filter((id) => id !== userId);
    return { ...action, user_ids: rest.length === 0 ? null : rest };
  };
  return {
    ...definition,
    rules: rules.map((rule) => ({ ...rule, action: without(rule.action) })),
    fallback: without(fallback),
  };
}
