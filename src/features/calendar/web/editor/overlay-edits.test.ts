import { describe, expect, it } from 'vitest';
import type { EventRow } from '../grid-event.ts';
import type { Edit } from './edit-shapes.ts';
import { overlayEdits } from './overlay-edits.ts';
import { settleEdits } from './settle-edits.ts';

const row = (id: string, more: Partial<EventRow> = {}) =>
  ({ event_id: id, item_id: `item ${id}`, ...more }) as EventRow;
const edit = (more: Partial<Edit> = {}) =>
  ({ edit_id: 'e1', kind: 'change', state: 'pending', item_id: null, replaces: [], events: [], ...more }) as Edit;
const ids = (rows: readonly EventRow[]) => rows.map((one) => one.event_id);
const standing = [row('a'), row('b')];

describe('overlayEdits', () => {
  it('shows what waits instead of what stands', () => {
    const moved = row('a', { title: 'moved' });
    const rows = overlayEdits(standing, [edit({ replaces: ['a'], events: [moved] })]);
    expect(rows).toHaveLength(2);
    expect(rows).toContain(moved);
    expect(ids(overlayEdits(standing, [edit({ kind: 'delete', replaces: ['b'] })]))).toEqual(['a']);
    expect(ids(overlayEdits(standing, [edit({ kind: 'create', events: [row('new')] })]))).toEqual(['a', 'b', 'new']);
  });

  it.each(['failed', 'conflict', 'undone', 'done'] as const)('shows what stands where an edit is %s', (state) => {
    expect(overlayEdits(standing, [edit({ state, replaces: ['a'], events: [row('x')] })])).toBe(standing);
  });

  it('shows nothing twice that was created and read already', () => {
    const waiting = edit({ kind: 'create', item_id: 'item b', events: [row('placeholder')] });
    expect(ids(overlayEdits(standing, [waiting]))).toEqual(['a', 'b']);
  });

  it('shows the newest of two edits of one event', () => {
    const [first, second] = [row('a', { title: 'first' }), row('a', { title: 'second' })];
    const rows = overlayEdits(standing, [
      edit({ replaces: ['a'], events: [first] }),
      edit({ replaces: ['a'], events: [second] }),
    ]);
    expect(rows.filter((one) => one.event_id === 'a')).toEqual([second]);
  });
});

describe('settleEdits', () => {
  const waiting = edit({ replaces: ['a'] });
  const done = edit({ state: 'done' });

  it('goes on showing a done edit until newer events are here', () => {
    const held = settleEdits([], [waiting], [done], { eventsMs: 10, nowMs: 20 });
    expect(held.map((one) => one.edit)).toEqual([waiting]);
    expect(settleEdits(held, [done], [done], { eventsMs: 15, nowMs: 30 })).toHaveLength(1);
    expect(settleEdits(held, [done], [done], { eventsMs: 25, nowMs: 30 })).toEqual([]);
  });

  it('holds nothing that was done before this page looked, or that failed', () => {
    expect(settleEdits([], [], [done], { eventsMs: 10, nowMs: 20 })).toEqual([]);
    expect(settleEdits([], [waiting], [edit({ state: 'failed' })], { eventsMs: 10, nowMs: 20 })).toEqual([]);
  });
});
