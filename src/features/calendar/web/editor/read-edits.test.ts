import { afterEach, expect, it, vi } from 'vitest';
import { createFakeApi, refusal } from '../../../../web/fake-api.ts';
import type { EventRow } from '../grid-event.ts';
import type { Edit } from './edit-shapes.ts';
import { readEdits } from './read-edits.ts';

const id = '00000000-0000-4000-8000-000000000001';
const from = '2026-11-15T23:00:00Z';
const { signal } = new AbortController();

afterEach(() => vi.unstubAllGlobals());

const instance = (start: string): EventRow => ({
  event_id: `new ${start}`,
  item_id: id,
  calendar_id: id,
  title: 'Standup',
  start_time: start,
  end_time: start,
  all_day: false,
  start_date: null,
  end_date: null,
  zone: 'Europe/Berlin',
  class: 'busy',
  tentative: false,
  declined: false,
  private: false,
  recurring: true,
  attendees: [],
  audience: 'personal',
  description: '',
  location: '',
  meeting_link: null,
  provider: 'google',
  calendar_badge: 'WO',
  is_holdfast_block: false,
  version: 'v1',
  editable: true,
  not_editable_reason: null,
  open_url: null,
});

const moved = (start: string): Edit => ({
  edit_id: 'moved',
  kind: 'change',
  state: 'pending',
  calendar_id: id,
  item_id: id,
  title: 'Standup',
  message: null,
  undo_until: null,
  can_undo: false,
  can_retry: false,
  created_at: from,
  replaces: [`old ${start}`],
  events: [instance(start)],
  mine: null,
  theirs: null,
});

/** The server answers for 100 days at most. Its only edit moved a series, which has an instance in each range. */
function serve() {
  const api = createFakeApi({
    'GET /api/edits': ({ query }) => {
      const [start, end] = ['from', 'to'].map((name) => Temporal.Instant.from(query.get(name) ?? '')) as [
        Temporal.Instant,
        Temporal.Instant,
      ];
      const hours = start.until(end).total('hours');
      if (hours <= 0 || hours > 2_400) return refusal(400, 'RANGE', 'Choose a range of up to 100 days.');
      return { body: { edits: [moved(start.toString())] } };
    },
  });
  vi.stubGlobal('fetch', api.fetch);
  return api.calls;
}

it('edits of an agenda of 16 weeks are read, with the events of all its weeks', async () => {
  const calls = serve();
  const { edits } = await readEdits(from, '2027-03-07T23:00:00Z', signal);
  expect(calls.map(({ query }) => [query.get('from'), query.get('to')])).toEqual([
    [from, '2027-02-23T23:00:00Z'],
    ['2027-02-23T23:00:00Z', '2027-03-07T23:00:00Z'],
  ]);
  expect(edits).toHaveLength(1);
  expect(edits[0]?.replaces).toEqual([`old ${from}`, 'old 2027-02-23T23:00:00Z']);
  expect(edits[0]?.events.map((event) => event.event_id)).toEqual([`new ${from}`, 'new 2027-02-23T23:00:00Z']);
});

it.each([
  ['a week', '2026-11-22T23:00:00Z'],
  ['100 days', '2027-02-23T23:00:00Z'],
])('edits of %s take one call', async (_name, to) => {
  const calls = serve();
  expect((await readEdits(from, to, signal)).edits).toEqual([moved(from)]);
  expect(calls).toHaveLength(1);
});
