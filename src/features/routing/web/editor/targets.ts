import type { Action, Definition, Target } from '../queries.ts';

/** Taking turns and meeting together lead to an event type of that kind; conditions to any. */
export const fitsType = ({ kind }: Pick<Target, 'kind'>, type: Definition['type']) =>
  type === 'conditional' || kind === type;

/** An event type as it is, with all of its hosts. */
export const firstAction = ({
  event_type_id,
}: Pick<Target, 'event_type_id'>): Extract<Action, { kind: 'event-type' }> => ({
  kind: 'event-type',
  event_type_id,
  user_ids: null,
  contact_owner_first: false,
});
