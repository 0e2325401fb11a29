import '#ui/tokens.css';
import '#ui/base.css';
import i18next from 'i18next';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { initReactI18next } from 'react-i18next';
import { findConflicts } from '#features/calendar/web/find-conflicts.ts';
import type { GridEvent } from '#features/calendar/web/grid-event.ts';
import { timeLabels } from '#features/calendar/web/time-labels.ts';
import type { EventTimes } from '#features/calendar/web/wall-clock.ts';
import { WeekGrid } from '#features/calendar/web/week-grid.tsx';
import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import calendar from '../../src/web/locales/en/calendar.json' with { type: 'json' };
import ui from '../../src/web/locales/en/ui.json' with { type: 'json' };

/** The week grid alone, with weeks of as many events as wanted: what `bench/week-grid.ts` measures. */

declare global {
  interface Window {
    weekGridBench: {
      /** From nothing to the painted week, ms: parsing aside, everything that a week's events cost. */
      render(count: number): Promise<number>;
      /** From one painted week to the next, ms. */
      next(count: number): Promise<number>;
      /** The browser's own share: the same markup put in place as text, ms. */
      markup(): Promise<number>;
      elements(): number;
    };
  }
}

const firstDay = 20_777; // 2026-11-20's week, Sunday
const zone = loadZone('America/New_York') ?? utc;
const labels = timeLabels({ locale: 'en-US', timeFormat: '12h' });
const colors = ['#4285f4', '#0078d4', '#0f7b3f', '#8e8e93', '#7c5cf0'];
const titles = ['Standup', '1:1 with Priya', 'Sprint planning', 'Customer call', 'Focus block', 'Board prep'];

/** The same events for the same week every time. */
function weekOf(day: number, count: number): GridEvent[] {
  let state = day * 7919 + count;
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
  const events = Array.from({ length: count }, (_, index): GridEvent => {
    const startMs =
      zone.toInstant((day + Math.floor(random() * 7)) * dayMs) + (6 + Math.floor(random() * 60) / 4) * 60 * minuteMs;
    const calendar = Math.floor(random() * colors.length);
    const isMirror = random() < 0.2;
    const isDeclined = random() < 0.05;
    return {
      id: `${day} ${index}`,
      itemId: `${day} ${index}`,
      title: titles[Math.floor(random() * titles.length)] ?? '',
      startMs,
      endMs: startMs + (1 + Math.floor(random() * 8)) * 15 * minuteMs,
      allDay: undefined,
      calendarId: `${calendar}`,
      calendarName: `Calendar ${calendar}`,
      calendarBadge: 'CA',
      accountEmail: 'jane@example.com',
      provider: 'google',
      color: colors[calendar] ?? '',
      isMirror,
      mirrorOf: undefined,
      copies: undefined,
      blocks: !isMirror && !isDeclined,
      isFree: false,
      isTentative: random() < 0.1,
      isDeclined,
      isPrivate: random() < 0.05,
      isRecurring: false,
      notEditable: undefined,
      attendees: [],
      audience: 'personal',
      description: '',
      location: '',
      meetingLink: undefined,
    };
  });
  return events.sort((a, b) => a.startMs - b.startMs || b.endMs - a.endMs);
}

await i18next.use(initReactI18next).init({
  lng: 'en',
  resources: { en: { translation: { calendar, ui } } },
  interpolation: { escapeValue: false },
});
const place = document.getElementById('grid');
if (place === null) throw new Error('index.html has no #grid');

let root = createRoot(place);
let shownDay = firstDay;

function show(day: number, events: GridEvent[]): void {
  const conflicts = findConflicts(events);
  const titleById = new Map(events.map((event) => [event.id, event.title]));
  root.render(
    <WeekGrid
      events={events}
      conflicts={conflicts}
      titleOf={(id) => titleById.get(id)}
      zone={zone}
      firstDay={day}
      dayCount={7}
      nowMs={zone.toInstant((firstDay + 3) * dayMs) + 12 * 60 * minuteMs}
      labels={labels}
      hourPx={56}
      maxColumns={3}
      maxBarRows={3}
      slimMirrors
      onCreate={() => {}}
      onMove={(event, to) => show(day, move(events, event.id, to))}
      onResize={(event, to) => show(day, move(events, event.id, to))}
      onDay={() => {}}
      onBeyond={() => {}}
      renderMirrors={() => null}
    />,
  );
}

function move(events: readonly GridEvent[], id: string, to: EventTimes): GridEvent[] {
  return events.map((event) => (event.id === id ? { ...event, ...to } : event)).sort((a, b) => a.startMs - b.startMs);
}

/** Until the frame after the next one begins: by then the change is on the screen. */
function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

async function untilPainted(act: () => void): Promise<number> {
  await painted();
  const started = performance.now();
  // Committed before the frame is awaited: React alone would choose a task of its own, before or after that frame.
  flushSync(act);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - started;
}

window.weekGridBench = {
  async render(count) {
    root.unmount();
    place.replaceChildren();
    root = createRoot(place);
    shownDay = firstDay;
    const events = weekOf(shownDay, count);
    return untilPainted(() => show(shownDay, events));
  },
  async next(count) {
    shownDay += 7;
    const events = weekOf(shownDay, count);
    return untilPainted(() => show(shownDay, events));
  },
  async markup() {
    const html = place.innerHTML;
    root.unmount();
    place.replaceChildren();
    const cost = await untilPainted(() => {
      place.innerHTML = html;
    });
    place.replaceChildren();
    root = createRoot(place);
    return cost;
  },
  elements: () => place.querySelectorAll('*').length,
};
