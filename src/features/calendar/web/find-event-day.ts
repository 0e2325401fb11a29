import { editsContract } from '#features/edits/contract.ts';
import { ApiError, createClient } from '#kernel/contract-client.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import { dayOfNumber, wallTime } from './wall-clock.ts';

const api = createClient(editsContract);

/** The day on which an event stands in a zone; undefined where there is no such event (any more). */
export async function findEventDay(eventId: string, zone: Zone, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { when } = (await api.readEvent({ params: { event_id: eventId } }, { signal })).event;
    if (when.kind === 'all-day') return when.start;
    const start = Temporal.PlainDateTime.from(when.start).toZonedDateTime((loadZone(when.zone) ?? utc).id);
    return dayOfNumber(wallTime(zone, start.epochMilliseconds).dayNumber);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
