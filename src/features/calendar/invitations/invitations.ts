import type { ItemId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { loadViewer } from '../load-viewer.ts';
import { type EventView, eventView } from '../rules/event-view.ts';
import { withBodies } from '../store/spans.ts';
import { listUnansweredRows } from './store.ts';

export interface Invitation {
  itemId: ItemId;
  /** The next instance that waits. */
  event: EventView;
  calendarName: string;
  color: string;
  /** Whether an answer is for all instances of its series. */
  scope: 'this' | 'all';
}

const dayMs = 86_400_000;
/** Later invitations wait until they are nearer. */
const aheadMs = 180 * dayMs;
const mostInstances = 2_000;
const mostInvitations = 50;

/**
 * Invitations that wait for the caller's answer, one for each event or series, the nearest first. At most six queries,
 * whatever the number of events.
 */
export async function listInvitations(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Pick<Actor, 'userId'>,
): Promise<Invitation[]> {
  const viewer = await loadViewer(db, userId);
  const fromMs = clock.nowMs();
  const rows = await listUnansweredRows(db, userId, [...viewer.faces.keys()], {
    fromMs,
    toMs: fromMs + aheadMs,
    limit: mostInstances,
  });
  const whole = new Set(rows.filter(({ isWhole }) => isWhole).map(({ itemId }) => itemId));
  const { shown } = await withBodies(db, rows);
  const found = new Map<string, Invitation>();
  for (const one of shown) {
    const face = viewer.faces.get(one.calendarId);
    if (face === undefined || found.has(one.itemId) || found.size === mostInvitations) continue;
    const event = eventView(one, face, viewer);
    if (event.answer !== 'needs-action') continue;
    const { name, color } = face.calendar;
    const scope = one.recurring && whole.has(one.itemId) ? 'all' : 'this';
    found.set(one.itemId, { itemId: one.itemId, event, calendarName: name, color, scope });
  }
  return [...found.values()];
}
