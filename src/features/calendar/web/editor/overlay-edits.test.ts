import { describe, expect, it } from 'vitest';
import type { EventRow } from '../grid-event.ts';
import type { Edit } from './edit-shapes.ts';
import { overlayEdits } from './overlay-edits.ts';

const row = (id: string, more: Partial<EventRow> = {}) =>
  ({ event_id: id, item_id: `item ${id}`, ...more }) as EventRow;
const edit = (more: Partial<Edit> = {}) =>
  ({ edit_id: 'e1', kind: 'change', state: 'pending', item_id: null, replaces: [], events: [], ...more }) as Edit;
const ids = (rows: readonly EventRow[]) => rows.map((one) => one.event_id);
const standing = [row('a'), row('b')];

describe('overlayEdits', () => {
  it('a pending edit is shown in place of the stored event', () => {
    const moved = row('a', { title: 'moved' });
    const rows = overlayEdits(standing, [edit({ replaces: ['a'], events: [moved] })]);
    expect(rows).toHaveLength(2);
    expect(rows).toContain(moved);
    expect(ids(overlayEdits(standing, [edit({ kind: 'delete', replaces: ['b'] })]))).toEqual(['a']);
    expect(ids(overlayEdits(standing, [edit({ kind: 'create', events: [row('new')] })]))).toEqual(['a', 'b', 'new']);
  });

  it.each(['failed', 'conflict', 'undone'] as const)('the stored event is shown when an edit is %s', (state) => {
    expect(overlayEdits(standing, [edit({ state, replaces: ['a'], events: [row('x')] })])).toBe(standing);
  });

  it('a finished edit is shown while the server returns its events, and no event is shown twice', () => {
    const read = row('b', { title: 'as read' });
    const rows = overlayEdits([row('a'), row('b')], [edit({ kind: 'create', state: 'done', events: [read] })]);
    expect(ids(rows)).toEqual(['a', 'b']);
    expect(rows).toContain(read);
    expect(overlayEdits(standing, [edit({ state: 'done' })])).toBe(standing);
  });

  it('the newest of two edits of one event is shown', () => {
    const [first, second] = [row('a', { title: 'first' }), row('a', { title: 'second' })];
    const rows = overlayEdits(standing, [
      edit({ replaces: ['a'], events: [first] }),
      edit({ replaces: ['a'], events: [second] }),
    ]);
    expect(rows.filter((one) => one.event_id === 'a')).toEqual([second]);
  });
});
