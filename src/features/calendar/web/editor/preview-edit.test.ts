import { describe, expect, it } from 'vitest';
import type { EventRow } from '../grid-event.ts';
import { previewChange, previewDelete, rowsInScope } from './preview-edit.ts';

const row = (start: string, end: string, more: Partial<EventRow> = {}) =>
  ({
    event_id: `series_${start}`,
    item_id: 'series',
    start_time: start,
    end_time: end,
    all_day: false,
    zone: 'America/New_York',
    title: 'Standup',
    ...more,
  }) as EventRow;

/** Weekly at 9:00 in New York, over the change of 2027-03-14. */
const before = row('2027-03-08T14:00:00.000Z', '2027-03-08T15:00:00.000Z');
const after = row('2027-03-15T13:00:00.000Z', '2027-03-15T14:00:00.000Z');
const last = row('2027-03-22T13:00:00.000Z', '2027-03-22T14:00:00.000Z');
const other = row('2027-03-15T13:00:00.000Z', '2027-03-15T14:00:00.000Z', { item_id: 'x', event_id: 'x' });
const rows = [before, after, last, other];

describe('edit previews', () => {
  it('a preview covers one instance, the following ones or the whole series, and no other event', () => {
    expect(rowsInScope(rows, after, 'this')).toEqual([after]);
    expect(rowsInScope(rows, after, 'following')).toEqual([after, last]);
    expect(rowsInScope(rows, after, 'all')).toEqual([before, after, last]);
    expect(previewDelete(rows, after, 'following')).toEqual({
      replaces: [after.event_id, last.event_id],
      events: [],
    });
  });

  it('a preview moves a series in the local time of its zone, across a clock change', () => {
    const startMs = Temporal.Instant.from('2027-03-08T15:30:00Z').epochMilliseconds;
    const { events } = previewChange(rows, before, 'all', {
      times: { startMs, endMs: startMs + 3_600_000, allDay: undefined },
    });
    expect(events.map((event) => event.start_time)).toEqual([
      '2027-03-08T15:30:00.000Z',
      '2027-03-15T14:30:00.000Z',
      '2027-03-22T14:30:00.000Z',
    ]);
  });

  it('a preview shows the fields that a form changes', () => {
    const { events } = previewChange(rows, after, 'this', {
      changes: { title: 'Daily', busy: 'tentative', attendees: [{ email: 'ana@x.example', name: null }] },
    });
    expect(events).toEqual([
      { ...after, title: 'Daily', class: 'soft', tentative: true, attendees: ['ana@x.example'] },
    ]);
  });
});
