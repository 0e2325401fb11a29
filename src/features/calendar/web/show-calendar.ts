import { connectionsContract } from '#features/connections/contract.ts';
import { createClient } from '#kernel/contract-client.ts';

const api = createClient(connectionsContract);

/** Whether a calendar is shown, remembered by the server. A chunk of its own: nobody's first picture needs it. */
export async function showCalendar(calendarId: string, visible: boolean): Promise<void> {
  await api.changeCalendar({ params: { calendarId }, body: { visible } });
}
