import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { hideToast } from '#ui/toasts.tsx';
import { createFakeApi, type FakeAnswer, type FakeRoutes, refusal } from '../../../../web/fake-api.ts';
import calendarWords from '../../../../web/locales/en/calendar.json' with { type: 'json' };
import editorWords from '../../../../web/locales/en/editor.json' with { type: 'json' };
import uiWords from '../../../../web/locales/en/ui.json' with { type: 'json' };
import { ScreenFrame } from '../../../../web/screen-frame.tsx';
import type { CalendarRow } from '../grid-event.ts';
import type { Edit, EventDetails } from './edit-shapes.ts';
import { EditTroubles } from './edit-troubles.tsx';
import { EditingProvider, type EditTask, useEditing } from './editing.tsx';
import { useLocalEdits } from './local-edits.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const calendar = (n: number, name: string, more: Partial<CalendarRow> = {}): CalendarRow => ({
  id: id(n),
  name,
  provider: 'google',
  visible: true,
  color: '#4285f4',
  badge: name.slice(0, 2).toUpperCase(),
  email: `${name.toLowerCase()}@x.example`,
  status: 'ok',
  message: null,
  lastSyncedAt: null,
  writable: true,
  unread: 0,
  reconnectUrl: null,
  warnings: 0,
  ...more,
});
const calendars = [
  calendar(1, 'Holidays', { writable: false }),
  calendar(2, 'Hidden', { visible: false }),
  calendar(3, 'Work'),
];

const standup: EventDetails = {
  event_id: `${id(10)}_20261120T083000Z`,
  item_id: id(10),
  calendar_id: id(3),
  title: 'Standup',
  when: { kind: 'timed', start: '2026-11-20T09:30', end: '2026-11-20T10:00', zone: 'Europe/Berlin' },
  recurrence: 'FREQ=WEEKLY;BYDAY=MO,FR',
  description: '',
  location: '',
  meeting_link: null,
  attendees: [],
  busy: 'busy',
  private: false,
  reminders: null,
  series: { starts: '2026-01-02T09:30', scopes: ['this', 'following', 'all'], complex: false },
  self: 'none',
  version: 'v1',
  editable: true,
  not_editable_reason: null,
  open_url: null,
};
const review: EventDetails = {
  ...standup,
  event_id: id(11),
  item_id: id(11),
  title: 'Review',
  recurrence: null,
  series: null,
  attendees: [{ email: 'ana@y.example', name: 'Ana', response: 'accepted' }],
};
const edited = (kind: string, title: string) => ({
  edit: {
    edit_id: id(90),
    kind,
    state: 'pending',
    calendar_id: id(3),
    item_id: id(91),
    title,
    message: null,
    undo_until: null,
    can_undo: true,
    can_retry: false,
    created_at: '2026-11-20T10:42:00Z',
    replaces: [],
    events: [],
    mine: null,
    theirs: null,
  },
});
const nowhere = { body: { conflicts: [], free: [] } };

let asked: EditTask;

function Probe() {
  const begin = useEditing();
  const local = useLocalEdits();
  return (
    <>
      <button type="button" onClick={() => begin?.(asked)}>
        begin
      </button>
      <output>{local.map((edit) => edit.events.map((event) => event.start_time).join()).join()}</output>
    </>
  );
}

const berlin = loadZone('Europe/Berlin') ?? utc;

function Screen() {
  return (
    <EditingProvider zone={berlin}>
      <Probe />
    </EditingProvider>
  );
}

async function begin(task: EditTask, routes: FakeRoutes = {}, at = '/calendar') {
  const api = createFakeApi({
    'GET /api/calendars': { body: { calendars } },
    'POST /api/free-times': nowhere,
    'POST /api/guest-times': { body: { day: { start: 0, end: 1 }, guests: [], free: [] } },
    [`GET /api/events/${standup.event_id}`]: { body: { event: standup } },
    [`GET /api/events/${review.event_id}`]: { body: { event: review } },
    'POST /events': (call) => ({ status: 202, body: edited('create', (call.body as { title: string }).title) }),
    ...routes,
  });
  vi.stubGlobal('fetch', api.fetch);
  const user = userEvent.setup();
  asked = task;
  render(<ScreenFrame screen={Screen} at={at} />);
  const button = await screen.findByRole('button', { name: 'begin' });
  if (at === '/calendar') await user.click(button);
  const sent = () =>
    api.calls.filter((call) => call.method !== 'GET' && !['/api/free-times', '/api/guest-times'].includes(call.path));
  return { user, sent, button };
}

const create: EditTask = { kind: 'create', start: '2026-11-20T09:00' };

beforeAll(async () => {
  // As on a page that stands: nobody waits for it there.
  await import('./editing-desk.tsx');
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { calendar: calendarWords, editor: editorWords, ui: uiWords } } },
    interpolation: { escapeValue: false },
  });
});
beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  hideToast('edit');
  vi.unstubAllGlobals();
});

describe('creating an event', () => {
  it('a new event goes to the first visible writable calendar, and a blank title cannot be saved', async () => {
    const { user, sent } = await begin(create);
    const dialog = within(await screen.findByRole('dialog', { name: 'Create Event' }));
    expect(dialog.getByRole('combobox', { name: 'Target Calendar' })).toHaveProperty('value', id(3));
    const submit = dialog.getByRole('button', { name: 'Create Event' });
    expect(submit).toHaveProperty('disabled', true);
    await user.type(dialog.getByLabelText('Title'), '   ');
    expect(submit).toHaveProperty('disabled', true);
    await user.type(dialog.getByLabelText('Title'), 'Lunch');
    expect(await dialog.findByText('No conflicts detected')).toBeDefined();
    await user.click(submit);
    expect(await screen.findByText('Created: Lunch')).toBeDefined();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent()).toHaveLength(1);
    expect(sent()[0]?.body).toMatchObject({
      calendar_id: id(3),
      title: 'Lunch',
      when: { kind: 'timed', start: '2026-11-20T09:00', end: '2026-11-20T10:00', zone: 'Europe/Berlin' },
      tell_guests: false,
    });
  });

  it('a new event can be undone from its toast', async () => {
    const { user, sent } = await begin(create, {
      [`POST /api/edits/${id(90)}/undo`]: { status: 202, body: edited('create', 'Lunch') },
    });
    await user.type(await screen.findByLabelText('Title'), 'Lunch');
    await user.click(screen.getByRole('button', { name: 'Create Event' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Undone: Lunch')).toBeDefined();
    expect(sent().at(-1)?.path).toBe(`/api/edits/${id(90)}/undo`);
  });

  it('a duplicate opens the form with what the event has, once, and in a calendar that can be written', async () => {
    const { user, sent } = await begin({ kind: 'copy', eventId: standup.event_id });
    expect(await screen.findByLabelText('Title')).toHaveProperty('value', 'Standup');
    await user.click(screen.getByRole('button', { name: 'Create Event' }));
    await screen.findByText('Created: Standup');
    expect(sent()[0]?.body).toMatchObject({ title: 'Standup', calendar_id: id(3), recurrence: null });
  });

  it('a new event with guests asks before invitations are sent', async () => {
    const { user, sent } = await begin(create);
    await user.type(await screen.findByLabelText('Title'), 'Lunch');
    await user.type(screen.getByLabelText('Guests'), 'ana@y.example,');
    await user.click(screen.getByRole('button', { name: 'Create Event' }));
    const question = within(await screen.findByRole('dialog', { name: 'Send invitations?' }));
    await user.click(question.getByRole('button', { name: "Don't send" }));
    await screen.findByText('Created: Lunch');
    expect(sent()[0]?.body).toMatchObject({
      attendees: [{ email: 'ana@y.example', name: null }],
      tell_guests: false,
    });
  });

  it('guests who share their times have a word each, the others are named, and a common free time moves the event', async () => {
    const at = (time: string) => Temporal.Instant.from(`2026-11-20T${time}:00Z`).epochMilliseconds;
    const span = (from: string, to: string) => ({ start: at(from), end: at(to) });
    const { promise, resolve } = Promise.withResolvers<FakeAnswer>();
    const answer = (busyUntil: number | null): FakeAnswer => ({
      body: {
        day: { start: at('00:00') - 3_600_000, end: at('23:00') },
        guests: [
          {
            address: 'ana@y.example',
            shared: true,
            busy_until: busyUntil,
            busy: [span('08:30', '09:15')],
            hours: 'open',
            off: [],
          },
          { address: 'bo@x.example', shared: false, busy_until: null, busy: [], hours: 'open', off: [] },
        ],
        free: busyUntil === null ? [] : [span('09:15', '10:15')],
      },
    });
    const { user } = await begin(create, {
      'POST /api/free-times': {
        body: {
          conflicts: [
            {
              event_id: id(10),
              title: 'Standup',
              calendar_id: id(3),
              calendar_name: 'Work',
              start: '2026-11-20T08:30:00Z',
              end: '2026-11-20T09:00:00Z',
            },
          ],
          free: [{ start: '2026-11-20T09:00:00Z', end: '2026-11-20T10:00:00Z' }],
        },
      },
      'POST /api/guest-times': (call) =>
        (call.body as { start: string }).start === '2026-11-20T08:00:00Z' ? promise : answer(null),
    });
    await user.type(await screen.findByLabelText('Guests'), 'ana@y.example, bo@x.example,');
    expect(await screen.findByText('Checking guest availability...')).toBeDefined();
    expect(await screen.findByRole('group', { name: 'Free times nearby' })).toBeDefined();
    resolve(answer(at('09:15')));
    const times = within(await screen.findByRole('region', { name: 'Guest availability' }));
    expect(times.getByText('Busy until 10:15 AM')).toBeDefined();
    expect(await times.findByText('Availability not shared: bo@x.example')).toBeDefined();
    // times at which only the person is free would lead into the time of a guest
    expect(screen.queryByRole('group', { name: 'Free times nearby' })).toBeNull();
    await user.click(times.getByRole('button', { name: /^10:15\s–\s11:15\sAM$/ }));
    expect(screen.getByLabelText('Start')).toHaveProperty('value', '2026-11-20, 10:15 AM');
    expect(await times.findByText('Free')).toBeDefined();
    expect(times.queryByRole('group')).toBeNull();
  });

  it.each([
    ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z', /Fair \(Work, All day\)/],
    ['2026-11-20T00:00:00Z', '2026-11-22T00:00:00Z', /Fair \(Work, .*November 20.* – .*November 21, All day\)/],
  ])('a conflict with an event of whole days says so: %s to %s', async (start, end, text) => {
    const fair = { event_id: id(10), title: 'Fair', calendar_id: id(3), calendar_name: 'Work', start, end };
    await begin(create, { 'POST /api/free-times': { body: { conflicts: [fair], free: [] } } });
    expect(await screen.findByText(text)).toBeDefined();
  });

  it('a guest on a day off is away, and one outside of working hours is not called free', async () => {
    const day = { start: 0, end: 86_400_000 };
    const guest = { shared: true, busy_until: null, busy: [], off: [day] };
    const { user } = await begin(create, {
      'POST /api/guest-times': {
        body: {
          day,
          guests: [
            { ...guest, address: 'ana@y.example', hours: 'away' },
            { ...guest, address: 'bo@x.example', hours: 'outside' },
          ],
          free: [],
        },
      },
    });
    await user.type(await screen.findByLabelText('Guests'), 'ana@y.example, bo@x.example,');
    const rows = within(await screen.findByRole('region', { name: 'Guest availability' })).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual(['ana@y.exampleAway', 'bo@x.exampleOutside working hours']);
  });

  it('times of guests that cannot be loaded are unknown, not free', async () => {
    const { user } = await begin(create, { 'POST /api/guest-times': refusal(500, 'INTERNAL', 'It failed.') });
    await user.type(await screen.findByLabelText('Guests'), 'ana@y.example,');
    expect(await screen.findByText("Couldn't load guest availability.")).toBeDefined();
    expect(screen.queryByRole('region', { name: 'Guest availability' })).toBeNull();
  });

  it('a new event lists its conflicts, moves to a free time on click, and otherwise says "Create anyway"', async () => {
    const { user } = await begin(create, {
      'POST /api/free-times': (call) =>
        (call.body as { start: string }).start === '2026-11-20T08:00:00Z'
          ? {
              body: {
                conflicts: [
                  {
                    event_id: id(10),
                    title: 'Standup',
                    calendar_id: id(3),
                    calendar_name: 'Work',
                    start: '2026-11-20T08:30:00Z',
                    end: '2026-11-20T09:00:00Z',
                  },
                ],
                free: [{ start: '2026-11-20T09:00:00Z', end: '2026-11-20T10:00:00Z' }],
              },
            }
          : nowhere,
    });
    expect(await screen.findByText('Conflicts with existing events')).toBeDefined();
    expect(screen.getByText(/^Standup \(Work/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Create anyway' })).toBeDefined();
    await user.click(within(screen.getByRole('group', { name: 'Free times nearby' })).getByRole('button'));
    expect(await screen.findByText('No conflicts detected')).toBeDefined();
    expect(screen.getByLabelText('Start')).toHaveProperty('value', '2026-11-20, 10:00 AM');
    expect(screen.getByRole('button', { name: 'Create Event' })).toBeDefined();
  });

  it('a refused event keeps the typed text and shows the error at its field', async () => {
    const { user } = await begin(create, {
      'POST /events': refusal(400, 'INVALID_INPUT', 'Check what you entered.', { location: 'At most 10 characters' }),
    });
    await user.type(await screen.findByLabelText('Title'), 'Lunch');
    await user.click(screen.getByRole('button', { name: 'Create Event' }));
    expect(await screen.findByText('At most 10 characters')).toBeDefined();
    expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Lunch');
  });

  it('the event form asks before typed text is discarded, and restores the draft of a closed page', async () => {
    const { user, button } = await begin(create);
    await user.type(await screen.findByLabelText('Title'), 'Lunch');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    const question = within(await screen.findByRole('dialog', { name: 'Discard your changes?' }));
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    await waitFor(() => expect(localStorage.getItem('holdfast-draft:event:new')).toContain('Lunch'));
    cleanup();
    await begin(create);
    await user.click(await screen.findByRole('button', { name: 'Resume' }));
    expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Lunch');
    expect(button.isConnected).toBe(false);
  });

  it('an end of the repetition before the start stays as typed, and keeps the event from being saved', async () => {
    const { user, sent } = await begin(create);
    await user.type(await screen.findByLabelText('Title'), 'Lunch');
    await user.selectOptions(screen.getByLabelText('Repeats'), 'Custom...');
    await user.selectOptions(screen.getByLabelText('Ends'), 'On date');
    const last = screen.getByLabelText<HTMLInputElement>('Last day');
    await user.tripleClick(last);
    await user.keyboard('2026-11-19');
    await user.click(screen.getByRole('button', { name: 'Create Event' }));
    expect(last.value).toBe('2026-11-19');
    expect(screen.getByText('2026-11-20 is the earliest')).toBeDefined();
    expect(document.activeElement).toBe(last);
    expect(sent()).toEqual([]);
    await user.tripleClick(last);
    await user.keyboard('2026-11-21');
    await user.click(screen.getByRole('button', { name: 'Create Event' }));
    await screen.findByText('Created: Lunch');
    expect(sent()).toHaveLength(1);
  });

  it('the URL of a new event opens the event form at its start', async () => {
    await begin(create, {}, '/calendar?new=2026-11-21T14:00');
    expect(await screen.findByLabelText('Start')).toHaveProperty('value', '2026-11-21, 2:00 PM');
  });
});

describe('the quick-create popover', () => {
  const range = { startWall: '2026-11-20T09:00', endWall: '2026-11-20T10:00', allDay: false };

  it('the quick-create popover saves on Enter', async () => {
    const { user, sent, button } = await begin({ kind: 'quick', range, anchor: document.body });
    await user.type(await screen.findByLabelText('Title'), 'Lunch{Enter}');
    expect(await screen.findByText('Created: Lunch')).toBeDefined();
    expect(sent()).toHaveLength(1);
    expect(button.isConnected).toBe(true);
  });

  it('the quick-create popover hands its text to the full form', async () => {
    const { user, sent } = await begin({ kind: 'quick', range, anchor: document.body });
    await user.type(await screen.findByLabelText('Title'), 'Lunch');
    await user.click(screen.getByRole('button', { name: 'More options' }));
    await screen.findByLabelText('Description');
    expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Lunch');
    expect(sent()).toEqual([]);
  });

  it('"Add guests" leads to the field, and Enter in it never saves the event', async () => {
    const { user, sent } = await begin({ kind: 'quick', range, anchor: document.body });
    await user.type(await screen.findByLabelText('Title'), 'Lunch');
    await user.click(screen.getByRole('button', { name: 'Add guests' }));
    await user.keyboard('ana@y.example{Enter}{Enter}');
    expect(screen.getByRole('list', { name: '1 guest' })).toBeDefined();
    expect(sent()).toEqual([]);
  });
});

describe('changing an event', () => {
  const change = `PATCH /events/${standup.event_id}`;

  it('a change of a recurring event asks for its scope and sends only the changed fields', async () => {
    const { user, sent } = await begin(
      { kind: 'edit', eventId: standup.event_id },
      { [change]: { status: 202, body: edited('change', 'Daily') } },
    );
    const title = await screen.findByLabelText('Title');
    await user.clear(title);
    await user.type(title, 'Daily');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const question = within(await screen.findByRole('dialog', { name: 'Change repeating event' }));
    await user.click(question.getByRole('radio', { name: 'This and following events' }));
    await user.click(question.getByRole('button', { name: 'Save' }));
    await screen.findByText('Saved: Daily');
    expect(sent()[0]?.body).toEqual({
      scope: 'following',
      version: 'v1',
      tell_guests: false,
      changes: { title: 'Daily' },
    });
  });

  it('a conflicting change shows both versions, and "Keep mine" writes over the newer one', async () => {
    let reads = 0;
    const { user, sent } = await begin(
      { kind: 'edit', eventId: review.event_id },
      {
        [`GET /api/events/${review.event_id}`]: () => {
          reads += 1;
          return { body: { event: reads === 1 ? review : { ...review, version: 'v2', location: 'Room 5' } } };
        },
        [`PATCH /events/${review.event_id}`]: (call) =>
          (call.body as { version: string }).version === 'v2'
            ? { status: 202, body: edited('change', 'Review 2') }
            : refusal(409, 'CHANGED_MEANWHILE', 'It was changed elsewhere.'),
      },
    );
    await user.type(await screen.findByLabelText('Title'), ' 2');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await user.click(await screen.findByRole('button', { name: 'Send' }));
    const both = within(await screen.findByRole('dialog', { name: /Review.*was changed elsewhere/ }));
    expect(both.getAllByRole('row')).toHaveLength(2);
    expect(both.getByRole('row', { name: /Title Review Review 2/ })).toBeDefined();
    await user.click(both.getByRole('button', { name: 'Keep mine' }));
    await screen.findByText('Saved: Review 2');
    expect(sent().map((call) => (call.body as { version: string }).version)).toEqual(['v1', 'v2']);
  });

  it('an event that cannot be edited says why and opens no form', async () => {
    await begin(
      { kind: 'edit', eventId: review.event_id },
      {
        [`GET /api/events/${review.event_id}`]: {
          body: { event: { ...review, editable: false, not_editable_reason: 'invited' } },
        },
      },
    );
    expect(await screen.findByText(/Only the organizer can change this/)).toBeDefined();
    expect(screen.queryByLabelText('Title')).toBeNull();
  });
});

describe('moving and deleting an event', () => {
  it('a dropped event is sent in its own zone, whatever zone the grid shows', async () => {
    const newYork = { ...review, attendees: [], when: { ...review.when, zone: 'America/New_York' } };
    const startMs = Temporal.Instant.from('2026-11-20T16:00:00Z').epochMilliseconds;
    const { sent } = await begin(
      { kind: 'move', eventId: review.event_id, times: { startMs, endMs: startMs + 1_800_000, allDay: undefined } },
      {
        [`GET /api/events/${review.event_id}`]: { body: { event: newYork } },
        [`PATCH /events/${review.event_id}`]: { status: 202, body: edited('change', 'Review') },
      },
    );
    await screen.findByText('Moved: Review');
    expect(sent()[0]?.body).toMatchObject({
      scope: 'all',
      changes: { when: { start: '2026-11-20T11:00', end: '2026-11-20T11:30', zone: 'America/New_York' } },
    });
  });

  it('a refused move says why, is taken back, and offers a retry', async () => {
    const { sent } = await begin(
      { kind: 'move', eventId: review.event_id, times: { startMs: 0, endMs: 1, allDay: undefined } },
      {
        [`GET /api/events/${review.event_id}`]: { body: { event: { ...review, attendees: [] } } },
        [`PATCH /events/${review.event_id}`]: refusal(503, 'UNAVAILABLE', 'Not now.'),
      },
    );
    expect(await screen.findByText('Not now.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
    expect(screen.getByRole('status').textContent).toBe('');
    expect(sent()).toHaveLength(1);
  });

  it('a deletion asks about guests first and offers an undo', async () => {
    const { user, sent } = await begin(
      { kind: 'delete', eventId: review.event_id },
      { [`DELETE /events/${review.event_id}`]: { status: 202, body: edited('delete', 'Review') } },
    );
    await user.click(await screen.findByRole('button', { name: 'Send' }));
    await screen.findByText('Deleted: Review');
    expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined();
    expect(Object.fromEntries(sent()[0]?.query ?? [])).toEqual({ scope: 'all', version: 'v1', tell_guests: 'true' });
  });

  it('a deletion that is not confirmed sends nothing', async () => {
    const { user, sent } = await begin({ kind: 'delete', eventId: review.event_id });
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent()).toEqual([]);
  });
});

describe('edits that could not be written', () => {
  const failed = (title: string, more: object) =>
    ({
      ...edited('change', title).edit,
      edit_id: crypto.randomUUID(),
      state: 'failed',
      message: 'Refused.',
      ...more,
    }) as Edit;

  it('several are one bar that opens, and only one that may work next time can be retried', async () => {
    const edits = [failed('Review', { can_retry: true }), failed('Standup', { can_retry: false })];
    render(<ScreenFrame screen={() => <EditTroubles edits={edits} />} at="/calendar" />);
    expect((await screen.findByRole('alert')).textContent).toContain('2 changes need your attention');
    expect(screen.queryByText(/Review/)).toBeNull();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show' }));
    expect(screen.getByText(/Review/)).toBeDefined();
    expect(screen.getByText(/Standup/)).toBeDefined();
    expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(1);
    expect(screen.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(2);
    expect(screen.getAllByRole('alert')).toHaveLength(1);
  });
});
