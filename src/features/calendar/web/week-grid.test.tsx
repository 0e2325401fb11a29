import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import i18next from 'i18next';
import type { ComponentProps } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import { UiProvider } from '#ui/ui-provider.tsx';
import calendar from '../../../web/locales/en/calendar.json' with { type: 'json' };
import shell from '../../../web/locales/en/shell.json' with { type: 'json' };
import ui from '../../../web/locales/en/ui.json' with { type: 'json' };
import { findConflicts } from './find-conflicts.ts';
import type { GridEvent } from './grid-event.ts';
import { sampleEvent } from './sample-event.ts';
import { timeLabels } from './time-labels.ts';
import { dayNumberOf } from './wall-clock.ts';
import { WeekGrid } from './week-grid.tsx';

const zone = loadZone('Europe/Berlin') as Zone;
const at = (local: string, name = 'Europe/Berlin') =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(name).epochMilliseconds;
const plain = (text: string | null | undefined) => (text ?? '').replaceAll(/[\u2009\u202f\u00a0]/g, ' ');

let nextId = 0;
function event(title: string, start: string, end: string, more: Partial<GridEvent> = {}): GridEvent {
  nextId += 1;
  return sampleEvent({
    id: `event-${nextId}`,
    itemId: `item-${nextId}`,
    title,
    startMs: at(start),
    endMs: at(end),
    ...more,
  });
}

function grid(events: GridEvent[], more: Partial<ComponentProps<typeof WeekGrid>> = {}) {
  const titles = new Map(events.map(({ id, title }) => [id, title]));
  return (
    <UiProvider>
      <WeekGrid
        events={events}
        conflicts={findConflicts(events, at('2026-11-20T11:42'))}
        titleOf={(id) => titles.get(id)}
        zone={zone}
        firstDay={dayNumberOf('2026-11-15')}
        dayCount={7}
        nowMs={at('2026-11-20T11:42')}
        labels={timeLabels({ locale: 'en-US', timeFormat: '12h' })}
        hourPx={56}
        maxBarRows={3}
        slimMirrors
        onDay={() => {}}
        onBeyond={() => {}}
        renderMirrors={() => <p>its mirrors</p>}
        {...more}
      />
    </UiProvider>
  );
}

const show = (...input: Parameters<typeof grid>) => render(grid(...input));

/** With drags and keys listening. */
async function showEditable(...input: Parameters<typeof grid>) {
  const shown = show(...input);
  await act(async () => void (await import('./grid-gestures.ts')));
  return shown;
}

const spoken = () => document.querySelector('[data-spoken]');
const ownName = (element: Element | null | undefined) => element?.getAttribute('aria-label') ?? element?.textContent;
const nameOf = (element: Element | null | undefined) => {
  const named = element?.getAttribute('aria-labelledby')?.split(' ');
  return plain(named?.map((id) => ownName(document.getElementById(id))).join(' ') ?? ownName(element));
};
const names = (container: HTMLElement) => [...container.querySelectorAll('[data-column]')].map(nameOf);

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { calendar, shell, ui } } },
    interpolation: { escapeValue: false },
  });
  // The card comes a moment after the grid, once for all tests.
  show([]);
  await act(async () => void (await import('./week-card.tsx')));
  cleanup();
});
beforeEach(() => {
  nextId = 0;
});
afterEach(cleanup);

describe('WeekGrid', () => {
  it('the week grid groups events by day, and labels each with its time, calendar and conflicts', () => {
    show([
      event('Standup', '2026-11-16T09:00', '2026-11-16T09:30'),
      event('Dentist', '2026-11-20T14:00', '2026-11-20T15:00', { isPrivate: true }),
      event('Lunch', '2026-11-20T14:30', '2026-11-20T15:30', { isRecurring: true }),
      event('Dinner', '2026-11-20T19:00', '2026-11-20T20:00', { isTentative: true }),
    ]);
    const friday = within(screen.getByRole('group', { name: 'Friday, November 20, today, 3 events' }));
    const [dentist, lunch, dinner] = friday.getAllByRole('button');
    expect(nameOf(dentist)).toBe('Dentist 2:00 – 3:00 PM, Work, private');
    expect(nameOf(lunch)).toBe('Lunch 2:30 – 3:30 PM, Work, Overlaps Dentist');
    expect(nameOf(dinner)).toBe('Dinner 7:00 – 8:00 PM, Work, tentative');
    expect(screen.getByRole('group', { name: 'Tuesday, November 17, no events' })).toBeDefined();
  });

  it('an event is drawn at another hour in another zone', () => {
    const tokyo = loadZone('Asia/Tokyo') as Zone;
    show([event('Late call', '2026-11-16T20:00', '2026-11-16T21:00')], { zone: tokyo });
    const tuesday = within(screen.getByRole('group', { name: 'Tuesday, November 17, 1 event' }));
    expect(nameOf(tuesday.getByRole('button'))).toContain('4:00 – 5:00 AM');
  });

  it('a night shift is drawn on both days, and a holiday in the all-day row', () => {
    show([
      event('Night shift', '2026-11-16T22:00', '2026-11-17T06:00'),
      event('Holiday', '2026-11-18T00:00', '2026-11-20T00:00', {
        allDay: { firstDay: '2026-11-18', endDay: '2026-11-20' },
        blocks: false,
      }),
    ]);
    expect(screen.getAllByRole('button', { name: /^Night shift/ })).toHaveLength(2);
    const row = within(screen.getByRole('group', { name: 'All-day events' }));
    expect(nameOf(row.getByRole('button'))).toContain(
      'Holiday, Wednesday, November 18 – Thursday, November 19, All day',
    );
  });

  it('an event never conflicts with its own mirror, and copies of a mirror share one edge', () => {
    const mirror = { isMirror: true, calendarName: 'Home' };
    show([
      event('Workshop', '2026-11-19T10:00', '2026-11-19T12:00'),
      event('Busy', '2026-11-19T10:00', '2026-11-19T12:00', mirror),
      event('Busy', '2026-11-19T10:00', '2026-11-19T12:00', mirror),
      event('Busy', '2026-11-19T15:00', '2026-11-19T16:00', mirror),
    ]);
    const day = within(screen.getByRole('group', { name: 'Thursday, November 19, 4 events' }));
    expect(day.getAllByRole('button').map(nameOf)).toEqual([
      'Workshop 10:00 AM – 12:00 PM, Work, past',
      'Blocked in Home, 10:00 AM – 12:00 PM',
      'Busy 3:00 – 4:00 PM, Home, mirror block, past',
    ]);
  });

  it('a mirror block names its original event as a card, at the edge, and in a list of several', async () => {
    const mirror = { isMirror: true, mirrorOf: 'Budget', calendarName: 'Home' };
    const blocks = [
      event('Busy', '2026-11-19T10:00', '2026-11-19T12:00', mirror),
      event('Busy', '2026-11-19T10:00', '2026-11-19T12:00', { ...mirror, calendarName: 'Club' }),
      event('Busy', '2026-11-19T15:00', '2026-11-19T16:00', { ...mirror, mirrorOf: '' }),
    ];
    const slim = show(blocks);
    expect(names(slim.container)).toEqual([
      'Blocked in Home, Club, 10:00 AM – 12:00 PM, Mirror of Budget',
      'Mirror of (No title) 3:00 – 4:00 PM, Home, past',
    ]);
    fireEvent.click(screen.getByRole('button', { name: /^Blocked in/ }));
    const list = within(await screen.findByRole('dialog', { name: '2 mirror blocks' }));
    expect(list.getAllByRole('button', { name: /^Mirror of Budget/ })).toHaveLength(2);
    cleanup();
    show(blocks, { slimMirrors: false });
    // The looks of a block say that it is one; a screen reader says it in words.
    const [half] = screen.getAllByRole('button', { name: /^Mirror of Budget 10:00/ });
    expect(half?.querySelector('span')?.textContent).toBe('Budget');
  });

  it('an event shows that a mirror failed or waits, and says the state of all', () => {
    const { container } = show([
      event('Budget', '2026-11-19T10:00', '2026-11-19T12:00', { copies: { created: 3, pending: 0, failed: 0 } }),
      event('Review', '2026-11-19T13:00', '2026-11-19T15:00', { copies: { created: 1, pending: 1, failed: 1 } }),
      event('Call', '2026-11-19T16:00', '2026-11-19T18:00', { copies: { created: 1, pending: 1, failed: 0 } }),
    ]);
    expect(names(container)).toEqual([
      'Budget 10:00 AM – 12:00 PM, Work, Mirrored to 3 calendars, past',
      'Review 1:00 – 3:00 PM, Work, Mirrored to 3 calendars, 1 pending, 1 failed, past',
      'Call 4:00 – 6:00 PM, Work, Mirrored to 2 calendars, 1 pending, past',
    ]);
    expect([...container.querySelectorAll('[data-column] > :first-child')].map((title) => title.textContent)).toEqual([
      'Budget',
      'Review',
      'Call',
    ]);
    expect([...container.querySelectorAll('[data-state]')].map((mark) => mark.getAttribute('data-state'))).toEqual([
      'failed',
      'pending',
    ]);
  });

  it('mirrors are drawn as boxes of their own when that is chosen', () => {
    show(
      [
        event('Workshop', '2026-11-19T10:00', '2026-11-19T12:00'),
        event('Busy', '2026-11-19T10:00', '2026-11-19T12:00', { isMirror: true }),
      ],
      { slimMirrors: false },
    );
    expect(screen.getByRole('button', { name: /^Busy.*mirror block/ }).dataset.mirror).toBe('true');
  });

  it('a click on an event opens its details and its mirrors in a dialog', async () => {
    show([
      event('Workshop', '2026-11-20T13:00', '2026-11-20T14:00', {
        attendees: ['ana@x.example', 'ben@x.example'],
        description: 'Bring numbers',
        meetingLink: 'https://meet.example.com/abc',
      }),
    ]);
    fireEvent.click(screen.getByRole('button', { name: /^Workshop/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Workshop' }));
    expect(plain(dialog.getByText(/^Friday/).textContent)).toBe('Friday, November 20, 1:00 – 2:00 PM');
    expect(dialog.getByText('Europe/Berlin, GMT+1')).toBeDefined();
    expect(dialog.getByText(/2 attendees/)).toBeDefined();
    expect(dialog.getByText('Bring numbers')).toBeDefined();
    expect(dialog.getByRole('link', { name: 'Join at meet.example.com' }).getAttribute('href')).toBe(
      'https://meet.example.com/abc',
    );
    expect(dialog.getByText('its mirrors')).toBeDefined();
  });

  it('an event card follows its event to another day, and closes when the event is gone', async () => {
    const workshop = event('Workshop', '2026-11-20T13:00', '2026-11-20T14:00');
    const { rerender } = show([workshop]);
    fireEvent.click(screen.getByRole('button', { name: /^Workshop/ }));
    await screen.findByRole('dialog', { name: 'Workshop' });
    rerender(grid([{ ...workshop, startMs: at('2026-11-19T13:00'), endMs: at('2026-11-19T14:00') }]));
    const dialog = within(screen.getByRole('dialog', { name: 'Workshop' }));
    expect(plain(dialog.getByText(/^Thursday/).textContent)).toBe('Thursday, November 19, 1:00 – 2:00 PM');
    rerender(grid([]));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('the +N list names the hidden events and opens their details', async () => {
    const same = ['A', 'B', 'C', 'D', 'E'].map((title) => event(title, '2026-11-20T13:00', '2026-11-20T14:00'));
    show(same);
    fireEvent.click(screen.getByRole('button', { name: /^\+2 more events/ }));
    const list = within(await screen.findByRole('dialog', { name: '2 more events' }));
    fireEvent.click(list.getByRole('button', { name: /^E/ }));
    expect(await screen.findByRole('dialog', { name: 'E' })).toBeDefined();
  });

  it('a hover card opens after a pause without taking focus, and Escape closes it', async () => {
    vi.useFakeTimers();
    try {
      show([event('Workshop', '2026-11-20T13:00', '2026-11-20T14:00')]);
      const card = screen.getByRole('button', { name: /^Workshop/ });
      fireEvent.pointerOver(card, { pointerType: 'mouse' });
      await act(() => vi.advanceTimersByTimeAsync(499));
      expect(screen.queryByRole('dialog')).toBeNull();
      await act(() => vi.advanceTimersByTimeAsync(1));
      expect(screen.getByRole('dialog', { name: 'Workshop' })).toBeDefined();
      expect(document.activeElement).toBe(document.body);
      fireEvent.keyDown(card, { key: 'Escape' });
      expect(screen.queryByRole('dialog')).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('the week grid has one tab stop, and arrow keys move down a day and across days', () => {
    const { container } = show([
      event('Mon 9', '2026-11-16T09:00', '2026-11-16T10:00'),
      event('Mon 15', '2026-11-16T15:00', '2026-11-16T16:00'),
      event('Thu 9', '2026-11-19T09:00', '2026-11-19T10:00'),
      event('Thu 14', '2026-11-19T14:00', '2026-11-19T15:00'),
    ]);
    const stops = () => [...container.querySelectorAll<HTMLElement>('[data-column][tabindex="0"]')];
    expect(stops().map((stop) => nameOf(stop).slice(0, 5))).toEqual(['Mon 9']);
    act(() => stops()[0]?.focus());
    const press = (key: string, more = {}) => {
      fireEvent.keyDown(document.activeElement as HTMLElement, { key, ...more });
      expect(stops()).toEqual([document.activeElement]);
      return nameOf(document.activeElement).split(':')[0];
    };
    expect(press('ArrowDown')).toBe('Mon 15 3');
    expect(press('ArrowRight')).toBe('Thu 14 2');
    expect(press('ArrowUp')).toBe('Thu 9 9');
    expect(press('ArrowLeft')).toBe('Mon 9 9');
    expect(press('End', { ctrlKey: true })).toBe('Thu 14 2');
    expect(press('Home', { ctrlKey: true })).toBe('Mon 9 9');
  });

  it('the week grid offers every hour and every whole day as an empty slot', async () => {
    const onCreate = vi.fn();
    await showEditable([], { onCreate });
    expect(screen.getAllByRole('button', { name: /^Tuesday, November 17, \d+ [AP]M$/ })).toHaveLength(24);
    const slot = screen.getByRole('button', { name: 'Tuesday, November 17, 11 PM' });
    fireEvent.click(slot);
    expect(onCreate).toHaveBeenLastCalledWith(
      { startWall: '2026-11-17T23:00', endWall: '2026-11-18T00:00', allDay: false },
      slot,
    );
    const whole = screen.getByRole('button', { name: 'Tuesday, November 17, All day' });
    fireEvent.click(whole);
    expect(onCreate).toHaveBeenLastCalledWith({ startWall: '2026-11-17', endWall: '2026-11-18', allDay: true }, whole);
  });

  it('arrow keys move the slot cursor from now, through the all-day row, and into the next week', () => {
    const onBeyond = vi.fn();
    const { container } = show([], { onCreate: () => {}, onBeyond });
    const stops = () => [...container.querySelectorAll<HTMLElement>('[data-slot][tabindex="0"]')];
    expect(stops().map(nameOf)).toEqual(['Friday, November 20, 11 AM']);
    act(() => stops()[0]?.focus());
    const press = (key: string, more = {}) => {
      fireEvent.keyDown(document.activeElement as HTMLElement, { key, ...more });
      expect(stops()).toEqual([document.activeElement]);
      return nameOf(document.activeElement);
    };
    expect(press('ArrowDown')).toBe('Friday, November 20, 12 PM');
    expect(press('ArrowRight')).toBe('Saturday, November 21, 12 PM');
    expect(press('Home')).toBe('Saturday, November 21, All day');
    expect(press('ArrowDown')).toBe('Saturday, November 21, 12 AM');
    expect(press('ArrowUp')).toBe('Saturday, November 21, All day');
    expect(onBeyond).not.toHaveBeenCalled();
    // the page turns by a week, whose first day has that column
    expect(press('ArrowRight')).toBe('Sunday, November 15, All day');
    expect(onBeyond).toHaveBeenCalledWith(1);
    expect(press('End', { ctrlKey: true })).toBe('Saturday, November 21, 11 PM');
  });

  it('the Tab key moves from an hour to its event and back', () => {
    const { container } = show(
      [event('Mon 9', '2026-11-16T09:00', '2026-11-16T10:00'), event('Mon 15', '2026-11-16T15:20', '2026-11-16T16:00')],
      { onCreate: () => {} },
    );
    const stops = () => [...container.querySelectorAll('[data-column][tabindex="0"]')];
    const press = (shiftKey: boolean) => {
      fireEvent.keyDown(document.activeElement as HTMLElement, { key: 'Tab', shiftKey });
      expect(stops()).toEqual([document.activeElement]);
      return nameOf(document.activeElement);
    };
    act(() => screen.getByRole('button', { name: 'Monday, November 16, 3 PM' }).focus());
    expect(press(false)).toMatch(/^Mon 15/);
    expect(press(true)).toBe('Monday, November 16, 3 PM');
    act(() => screen.getByRole('button', { name: /^Mon 9/ }).focus());
    expect(press(true)).toBe('Monday, November 16, 9 AM');
  });

  it('focus follows an event to another day, and stays on its hour when the event is gone', () => {
    const call = event('Call', '2026-11-16T09:00', '2026-11-16T10:00');
    const props = { onCreate: () => {} };
    const { rerender } = show([call], props);
    act(() => screen.getByRole('button', { name: /^Call/ }).focus());
    const moved = { ...call, startMs: at('2026-11-18T09:00'), endMs: at('2026-11-18T10:00') };
    rerender(grid([moved], props));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Call/ }));
    rerender(grid([], props));
    expect(nameOf(document.activeElement)).toBe('Wednesday, November 18, 9 AM');
  });

  it('focus stays on an event that gets a new id and title when it splits from its series', () => {
    const gym = event('Gym', '2026-11-16T09:00', '2026-11-16T10:00');
    const beside = { ...event('Standup', '2026-11-16T09:00', '2026-11-16T10:00'), color: '#00aa00' };
    const { rerender } = show([gym, beside]);
    act(() => screen.getByRole('button', { name: /^Gym/ }).focus());
    rerender(grid([beside, { ...gym, id: 'of another series', title: 'Gym later' }]));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Gym later/ }));
  });

  it('focus returns to an event that was briefly gone, unless the person moved it meanwhile', () => {
    const gym = event('Gym', '2026-11-16T09:00', '2026-11-16T10:00');
    const later = { ...gym, id: 'of another series', title: 'Gym later' };
    const props = { onCreate: () => {} };
    const { rerender } = show([gym], props);
    act(() => screen.getByRole('button', { name: /^Gym/ }).focus());
    rerender(grid([], props));
    expect(nameOf(document.activeElement)).toBe('Monday, November 16, 9 AM');
    rerender(grid([later], props));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Gym later/ }));
    rerender(grid([], props));
    act(() => screen.getByRole('button', { name: 'Monday, November 16, 3 PM' }).focus());
    rerender(grid([later], props));
    expect(nameOf(document.activeElement)).toBe('Monday, November 16, 3 PM');
  });

  it('the Shift and arrow keys move an event, announce each step, and drop it on release', async () => {
    const onMove = vi.fn();
    const call = event('Call', '2026-11-16T09:10', '2026-11-16T10:00');
    await showEditable([call, event('Lunch', '2026-11-17T09:00', '2026-11-17T09:30')], { onMove });
    const card = screen.getByRole('button', { name: /^Call/ });
    act(() => card.focus());
    const press = (key: string) => {
      fireEvent.keyDown(card, { key, shiftKey: true });
      return plain(spoken()?.textContent);
    };
    expect(press('ArrowDown')).toBe('Moved to Monday, November 16, 9:15 – 10:05 AM');
    expect(press('ArrowRight')).toBe('Moved to Tuesday, November 17, 9:15 – 10:05 AM. Conflicts with Lunch');
    expect(onMove).not.toHaveBeenCalled();
    fireEvent.keyUp(card, { key: 'Shift' });
    expect(onMove.mock.calls).toEqual([
      [call, { startMs: at('2026-11-17T09:15'), endMs: at('2026-11-17T10:05'), allDay: undefined }],
    ]);
  });

  it('a drag continues when the event gets a new id before the move or before the drop', async () => {
    const onMove = vi.fn();
    const call = event('Call', '2026-11-16T09:00', '2026-11-16T10:00');
    const { rerender } = await showEditable([call], { onMove });
    const root = document.querySelector<HTMLElement>('[data-gestures]');
    if (root === null) throw new Error('nothing listens');
    root.setPointerCapture = () => {};
    // a minute of the day is a pixel
    const box = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      return new DOMRect(0, 0, 100, this.matches('[data-head]') ? 0 : 1440);
    });
    const pointer = { pointerId: 1, button: 0, isPrimary: true, pointerType: 'mouse', clientX: 50, clientY: 550 };
    const beside = event('Call', '2026-11-16T12:00', '2026-11-16T13:00');
    for (const [step, turn] of [fireEvent.pointerMove, fireEvent.pointerUp].entries()) {
      if (step === 0) fireEvent.pointerDown(screen.getByRole('button', { name: /^Call 9/ }), pointer);
      rerender(grid([beside, { ...call, id: `name ${step}` }], { onMove }));
      turn(window, { ...pointer, clientY: 610 });
    }
    box.mockRestore();
    expect(onMove.mock.calls.map(([{ id }, { startMs }]) => [id, startMs])).toEqual([
      ['name 1', at('2026-11-16T10:00')],
    ]);
  });

  it('the week grid follows an event that keys move beyond the visible days', async () => {
    const [onMove, onBeyond] = [vi.fn(), vi.fn()];
    const call = event('Call', '2026-11-20T09:00', '2026-11-20T10:00');
    await showEditable([call], { onMove, onBeyond });
    const card = screen.getByRole('button', { name: /^Call/ });
    act(() => card.focus());
    for (let day = 0; day < 2; day += 1) fireEvent.keyDown(card, { key: 'ArrowRight', shiftKey: true });
    expect(plain(spoken()?.textContent)).toBe('Moved to Sunday, November 22, 9:00 – 10:00 AM');
    expect(onBeyond).not.toHaveBeenCalled();
    fireEvent.keyUp(card, { key: 'Shift' });
    expect(onMove).toHaveBeenCalledTimes(1);
    expect(onBeyond.mock.calls).toEqual([[1]]);
  });

  it('the Escape key takes a keyboard move back, and Enter drops it', async () => {
    const onMove = vi.fn();
    const call = event('Call', '2026-11-16T09:00', '2026-11-16T10:00');
    await showEditable([call], { onMove });
    const card = screen.getByRole('button', { name: /^Call/ });
    const press = (key: string) => fireEvent.keyDown(card, { key, shiftKey: true });
    press('ArrowUp');
    press('Escape');
    fireEvent.keyUp(card, { key: 'Shift' });
    expect(spoken()?.textContent).toBe('No change');
    expect(onMove).not.toHaveBeenCalled();
    press('ArrowUp');
    press('Enter');
    expect(onMove).toHaveBeenCalledWith(call, expect.objectContaining({ startMs: at('2026-11-16T08:45') }));
  });

  it('the Alt and arrow keys change the end of an event, and that of an all-day event by days', async () => {
    const onResize = vi.fn();
    const call = event('Call', '2026-11-16T09:00', '2026-11-16T10:00');
    const trip = event('Trip', '2026-11-18T00:00', '2026-11-19T00:00', {
      allDay: { firstDay: '2026-11-18', endDay: '2026-11-19' },
    });
    await showEditable([call, trip], { onResize });
    const resize = (name: RegExp, key: string) => {
      const card = screen.getByRole('button', { name });
      fireEvent.keyDown(card, { key, altKey: true });
      fireEvent.keyUp(card, { key: 'Alt' });
    };
    resize(/^Call/, 'ArrowDown');
    expect(onResize).toHaveBeenLastCalledWith(call, expect.objectContaining({ endMs: at('2026-11-16T10:15') }));
    expect(plain(spoken()?.textContent)).toBe('Now Monday, November 16, 9:00 – 10:15 AM');
    resize(/^Trip/, 'ArrowRight');
    const two = { firstDay: '2026-11-18', endDay: '2026-11-20' };
    expect(onResize).toHaveBeenLastCalledWith(trip, expect.objectContaining({ allDay: two }));
  });

  it('the e key edits an event, and the Delete key deletes it', async () => {
    const [onEdit, onDelete] = [vi.fn(), vi.fn()];
    const call = event('Call', '2026-11-16T09:00', '2026-11-16T10:00');
    await showEditable([call], { onEdit, onDelete });
    const card = screen.getByRole('button', { name: /^Call/ });
    fireEvent.keyDown(card, { key: 'e' });
    expect(onEdit).toHaveBeenCalledWith(call);
    fireEvent.keyDown(card, { key: 'Delete' });
    expect(onDelete).toHaveBeenCalledWith(call);
  });

  it('an event that cannot be moved says why instead of moving', async () => {
    const [onMove, onDelete] = [vi.fn(), vi.fn()];
    await showEditable([event('Party', '2026-11-16T09:00', '2026-11-16T10:00', { notEditable: 'invited' })], {
      onMove,
      onDelete,
    });
    const card = screen.getByRole('button', { name: /^Party/ });
    fireEvent.keyDown(card, { key: 'ArrowDown', shiftKey: true });
    fireEvent.keyUp(card, { key: 'Shift' });
    fireEvent.keyDown(card, { key: 'Delete' });
    expect(spoken()?.textContent).toBe('Only the organizer can change this event.');
    expect([onMove, onDelete].flatMap((spy) => spy.mock.calls)).toEqual([]);
  });

  it('events are in order of time in the document, whatever their columns', () => {
    const { container } = show([
      event('Long', '2026-11-16T09:00', '2026-11-16T12:00'),
      event('Second', '2026-11-16T09:30', '2026-11-16T10:00'),
      event('Third', '2026-11-16T10:30', '2026-11-16T11:00'),
    ]);
    expect(names(container).map((name) => name.split(' ')[0])).toEqual(['Long', 'Second', 'Third']);
  });

  it('the week grid scrolls to its first event, unless an hour was focused or the grid was scrolled', () => {
    const early = event('Early', '2026-12-01T05:00', '2026-12-01T06:00');
    const december = { firstDay: dayNumberOf('2026-11-29'), onCreate: () => {} };
    const topAfter = (meanwhile: (scroller: HTMLElement) => void) => {
      const { container, rerender, unmount } = show([], { ...december, loading: true });
      const scroller = container.querySelector('[data-head]')?.closest('[data-roving]')?.parentElement as HTMLElement;
      const startPx = scroller.scrollTop;
      meanwhile(scroller);
      rerender(grid([early], december));
      const movedPx = scroller.scrollTop - startPx;
      unmount();
      return movedPx;
    };
    expect(topAfter(() => {})).toBe(-3 * 56);
    expect(topAfter((scroller) => (scroller.scrollTop += 100))).toBe(100);
    expect(topAfter(() => act(() => screen.getByRole('button', { name: 'Monday, November 30, 9 AM' }).focus()))).toBe(
      0,
    );
  });

  it('the week grid marks today, and opens a day from its heading', () => {
    const onDay = vi.fn();
    show([], { onDay });
    const today = screen.getByRole('button', { name: /^Fri 20/ });
    expect(today.getAttribute('aria-current')).toBe('date');
    expect(plain(screen.getByText(/^Now/).textContent)).toBe('Now 11:42 AM');
    fireEvent.click(today);
    expect(onDay).toHaveBeenCalledWith(dayNumberOf('2026-11-20'));
  });
});
