import { capabilitiesOf } from '#providers/registry.ts';
import type { Calendar } from './store/calendars.ts';
import type { Connection } from './store/connections.ts';

/** Whether an event in this calendar gets such a meeting: its provider makes them, and for this account or calendar too. */
export const makesConference = (
  calendar: Pick<Calendar, 'conferences'>,
  connection: Connection,
  kind: string,
): boolean => {
  const { conference } = capabilitiesOf(connection);
  return conference !== undefined && conference === kind && (calendar.conferences?.includes(conference) ?? true);
};
