import { exportAccess } from '#features/access/public.ts';
import { exportAccount } from '#features/accounts/deletion/public.ts';
import { exportAnalytics } from '#features/analytics/public.ts';
import { exportAvailability } from '#features/availability/public.ts';
import { exportBilling } from '#features/billing/public.ts';
import { exportBookings, exportEventTypes } from '#features/booking/public.ts';
import { exportCalendars } from '#features/calendar/public.ts';
import { exportConnections } from '#features/connections/public.ts';
import { exportEveryContact } from '#features/contacts/public.ts';
import { exportEdits } from '#features/edits/public.ts';
import { exportFirstSteps } from '#features/help/public.ts';
import { exportHolds } from '#features/holds/public.ts';
import { exportDevices } from '#features/inbox/public.ts';
import { exportRouting } from '#features/routing/public.ts';
import { exportMirrors } from '#features/sync/public.ts';
import { exportTeams } from '#features/teams/public.ts';
import { exportWorkflows } from '#features/workflows/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { ExportPart } from '#platform/export-part.ts';
import { zipParts } from '#platform/zip.ts';
import { exportTopic } from './events.ts';
import { deleteChunks, findPendingExport, finishExport, insertChunk, updateExportProgress } from './store.ts';

/** Size of one stored row, which is what a download keeps in memory. */
const chunkBytes = 256 * 1024;
const mostBytes = 1_000_000_000;

/** Writes the zip file of an export. A retry starts over. */
export async function writeExportFile(app: App, id: string, signal: AbortSignal, isLast: boolean): Promise<void> {
  const wanted = await findPendingExport(app.db, id);
  if (wanted === null) return;
  const { userId } = wanted;
  try {
    await deleteChunks(app.db, id);
    const sizeBytes = await writeFile(app, userId, id, signal);
    await finishExport(app.db, id, { state: 'ready', sizeBytes });
    await app.feed.publish(app.db, userId, exportTopic);
  } catch (error) {
    if (isLast) {
      await finishExport(app.db, id, { state: 'failed', sizeBytes: 0 });
      await deleteChunks(app.db, id);
      await app.feed.publish(app.db, userId, exportTopic);
    }
    throw error;
  }
}

async function writeFile(app: App, userId: UserId, id: string, signal: AbortSignal): Promise<number> {
  const parts = [readme, ...(await listParts(app, userId))];
  const onPart = async (done: number) => {
    await updateExportProgress(app.db, id, { done, total: parts.length });
    await app.feed.publish(app.db, userId, exportTopic);
  };
  await onPart(0);
  let seq = 0;
  let sizeBytes = 0;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  const flush = async () => {
    if (pendingBytes === 0) return;
    await insertChunk(app.db, id, seq, Buffer.concat(pending));
    seq += 1;
    pending = [];
    pendingBytes = 0;
  };
  for await (const piece of zipParts(parts, { mtimeMs: app.clock.nowMs(), onPart })) {
    signal.throwIfAborted();
    pending.push(piece);
    pendingBytes += piece.byteLength;
    sizeBytes += piece.byteLength;
    if (sizeBytes > mostBytes) throw new Error(`an export of more than ${mostBytes} bytes`);
    if (pendingBytes >= chunkBytes) await flush();
  }
  await flush();
  return sizeBytes;
}

/** The parts of every feature, in feature order, without secrets. */
async function listParts(app: App, userId: UserId): Promise<ExportPart[]> {
  return [
    ...exportAccount(app, userId),
    ...exportAccess(app, userId),
    ...exportBilling(app, userId),
    ...exportTeams(app, userId),
    ...exportConnections(app, userId),
    ...exportAvailability(app, userId),
    ...(await exportCalendars(app, userId)),
    ...exportMirrors(app, userId),
    ...exportEdits(app, userId),
    ...exportEventTypes(app, userId),
    ...exportBookings(app, userId),
    ...exportEveryContact(app, userId),
    ...exportRouting(app, userId),
    ...exportWorkflows(app, userId),
    ...exportHolds(app, userId),
    ...exportAnalytics(app, userId),
    ...exportDevices(app, userId),
    ...exportFirstSteps(app, userId),
  ];
}

const readme: ExportPart = {
  path: 'README.txt',
  async *chunks() {
    yield `Your data at Holdfast
=====================

calendars/*.ics   each of your calendars for other programs: import them anywhere. People and answers are in the JSON.
calendars/*.json  the same events with all that is kept of them.
*.json            your account, sessions, what happened to it, your teams, connections, hours, mirror groups,
                  blocks and their history, what you changed here that no calendar has taken yet, what others can book with you,
                  what they did, what you were asked and what is done by itself then, double bookings that did not
                  happen, your routing forms with what came in by them, your holds, whom you met with your notes, and
                  your bookings summed up by day, the devices that are sent notifications, and how far you are with
                  your first steps.

No password, token, key or secret address is in here. Times are UTC unless they name a zone.
`;
  },
};
