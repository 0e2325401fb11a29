import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import i18next from 'i18next';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { slotReasonKinds } from '#features/booking/rules/slot-endpoints.ts';
import { busyReasons } from '#features/calendar/contract.ts';
import { mirrorReasons } from '#features/sync/contract.ts';
import type { Question } from '#ui/explain.ts';
import { createFakeApi, type FakeRoutes } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { ExplainPanel } from './explain-panel.tsx';
import type { TargetExplained } from './explain-queries.ts';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('explain');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const id = () => crypto.randomUUID();
const eventId = id();

function target(name: string, part: Partial<TargetExplained>): TargetExplained {
  return {
    calendar_id: id(),
    calendar_name: name,
    provider: 'google',
    account: 'ada@x.org',
    color: '#4285f4',
    verdict: 'not-copied',
    reasons: [],
    mirror_id: null,
    ...part,
  };
}

const explained = (...targets: TargetExplained[]) => ({
  body: {
    event: {
      event_id: eventId,
      item_id: eventId,
      title: 'Lunch',
      calendar_id: id(),
      calendar_name: 'Home',
      start_time: '2027-03-08T12:00:00Z',
      end_time: '2027-03-08T13:00:00Z',
      all_day: false,
      recurring: true,
    },
    targets,
  },
});

function ask(question: Question, routes: FakeRoutes) {
  vi.stubGlobal('fetch', createFakeApi(routes).fetch);
  const closed = vi.fn();
  render(<ScreenFrame screen={() => <ExplainPanel task={question} onClose={closed} />} at="/meetings" />);
  return { closed, user: userEvent.setup() };
}

test("a mirror explanation shows each calendar's verdict, its reasons and a link to the setting", async () => {
  const group = id();
  const { closed, user } = ask(
    { about: 'mirrors', eventId },
    {
      'GET /api/explain/mirror': explained(
        target('Work', {
          verdict: 'copied',
          reasons: [{ code: 'stands', facts: { title: 'Busy', at: '2027-03-08T08:00:00Z' }, setting: null }],
        }),
        target('Club', {
          reasons: [
            { code: 'keyword', facts: { kind: 'excluded', word: 'lunch' }, setting: { kind: 'group', id: group } },
            { code: 'not-busy', facts: { why: 'declined' }, setting: { kind: 'event', id: eventId } },
          ],
        }),
      ),
    },
  );
  expect(await screen.findByText('Lunch')).toBeTruthy();
  expect(screen.getByText(/this event in a series · in Home$/)).toBeTruthy();
  const [work, club] = screen.getAllByRole('listitem').filter((one) => one.querySelector('ul'));
  if (work === undefined || club === undefined) throw new Error('Two calendars were asked about');
  expect(within(work).getByText('Mirrored')).toBeTruthy();
  expect(within(work).getByText(/^Shown there as “Busy”. Checked/)).toBeTruthy();
  expect(within(club).getByText('Not mirrored')).toBeTruthy();
  expect(within(club).getByText('You declined it.')).toBeTruthy();
  const rule = within(club).getByRole('link', { name: 'Open rule' });
  expect(rule.getAttribute('href')).toBe(`/integrations/mirrors#group-${group}`);
  await user.click(rule);
  expect(closed).toHaveBeenCalled();
});

test('a busy time is explained by its events, and the panel switches to the mirror explanation', async () => {
  const { user } = ask(
    { about: 'busy', eventId },
    {
      'GET /api/explain/mirror': explained(),
      'GET /api/explain/busy': {
        body: {
          at: null,
          busy: true,
          events: [
            {
              event_id: eventId,
              item_id: eventId,
              title: 'Lunch',
              calendar_id: id(),
              calendar_name: 'Home',
              account: 'ada@x.org',
              provider: 'google',
              color: '#4285f4',
              start_time: '2027-03-08T12:00:00Z',
              end_time: '2027-03-08T13:00:00Z',
              all_day: false,
              class: 'busy',
              reason: 'tentative',
            },
          ],
        },
      },
    },
  );
  expect(await screen.findByText('Yes, this time is busy')).toBeTruthy();
  expect(screen.getByText("It's tentative, and tentative events count as busy.")).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Where is this mirrored?' }));
  expect(await screen.findByText('You have no other calendar to mirror this to.')).toBeTruthy();
});

test('an event over several days is explained with its last day', async () => {
  const event = (title: string, start: string, end: string, all_day: boolean) => ({
    event_id: id(),
    item_id: id(),
    title,
    calendar_id: id(),
    calendar_name: 'Home',
    account: 'ada@x.org',
    provider: 'google',
    color: '#4285f4',
    start_time: start,
    end_time: end,
    all_day,
    class: 'busy',
    reason: 'busy',
  });
  const events = [
    event('Away', '2027-03-08T00:00:00Z', '2027-03-11T00:00:00Z', true),
    event('Day off', '2027-03-09T00:00:00Z', '2027-03-10T00:00:00Z', true),
    event('Night', '2027-03-09T22:00:00Z', '2027-03-10T06:00:00Z', false),
    event('Evening', '2027-03-09T22:00:00Z', '2027-03-10T00:00:00Z', false),
  ];
  ask(
    { about: 'busy', eventId },
    { 'GET /api/explain/mirror': explained(), 'GET /api/explain/busy': { body: { at: null, busy: true, events } } },
  );
  const textOf = async (title: string) => (await screen.findByText(title)).parentElement?.textContent;
  expect([await textOf('Away'), await textOf('Day off'), await textOf('Night'), await textOf('Evening')]).toEqual([
    'AwayMon, 2027-03-08 – Wed, 2027-03-10, all day · Home',
    'Day offTue, 2027-03-09, all day · Home',
    'NightTue, 2027-03-09, 10:00 PM – Wed, 2027-03-10, 6:00 AM · Home',
    'EveningTue, 2027-03-09, 10:00 PM – 12:00 AM · Home',
  ]);
});

test('every mirror and busy reason has a text', () => {
  const special = new Set(['out-of-window', 'not-busy', 'keyword']);
  const keys = [
    ...mirrorReasons.filter((code) => !special.has(code)).map((code) => `explain.reason.${code}`),
    ...busyReasons.flatMap((code) => [`explain.notBusy.${code}`, `explain.busyReason.${code}`]),
  ];
  expect(keys.filter((key) => !i18next.exists(key))).toEqual([]);
});

test('a missing slot is explained by its reasons, the conflicting event and the nearest slots', async () => {
  const { user } = ask(
    { about: 'slot', eventTypeId: id(), title: 'Intro' },
    {
      'GET /api/slots/explain': {
        body: {
          at: '2027-03-08T14:00:00Z',
          title: 'Intro',
          duration: 30,
          zone: 'UTC',
          bookable: false,
          reasons: [
            { kind: 'notice', host: null, in_the_way: null, with_buffers: false, absence: null },
            {
              kind: 'busy',
              host: null,
              in_the_way: {
                title: 'Dentist',
                calendar_name: 'Home',
                event_id: eventId,
                start_time: '2027-03-08T13:45:00Z',
                end_time: '2027-03-08T14:45:00Z',
              },
              with_buffers: false,
              absence: null,
            },
          ],
          nearest: ['2027-03-08T15:00:00Z'],
        },
      },
    },
  );
  expect(await screen.findByRole('dialog', { name: 'Why is a time not offered?' })).toBeTruthy();
  await user.type(screen.getByLabelText('Time'), '14:00');
  expect(await screen.findByText("No, guests can't book this time")).toBeTruthy();
  expect(screen.getByText("It's sooner than the event type's minimum notice.")).toBeTruthy();
  expect(screen.getByText('Dentist')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open event' }).getAttribute('href')).toContain(eventId);
  const nearest = screen.getByText('Nearest times offered').parentElement;
  expect(nearest?.textContent).toMatch(/3:00/);
});

test('every reason for a missing slot has a text', () => {
  for (const kind of slotReasonKinds) expect(i18next.exists(`explain.slotReason.${kind}`), kind).toBe(true);
});
