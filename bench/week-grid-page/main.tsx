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
import calendar from '../../src/web/locales/en/calendar.json' with { type: 'json' };
import ui from '../../src/web/locales/en/ui.json' with { type: 'json' };
import { frameCounter, handleOf, untilPainted } from './measured-page.ts';
import { firstDay, weekOf, zone } from './week-events.ts';

/** Our week grid alone: what `bench/week-grid.ts` measures. */

const labels = timeLabels({ locale: 'en-US', timeFormat: '12h' });

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
  const conflicts = findConflicts(events, 0);
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

window.weekGridBench = {
  async render(count) {
    root.unmount();
    place.replaceChildren();
    root = createRoot(place);
    shownDay = firstDay;
    const events = weekOf(shownDay, count);
    return untilPainted(() => flushSync(() => show(shownDay, events)));
  },
  async next(count) {
    shownDay += 7;
    const events = weekOf(shownDay, count);
    return untilPainted(() => flushSync(() => show(shownDay, events)));
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
  handle: () => handleOf(place.querySelectorAll('[data-event][data-editable]')),
  ...frameCounter,
};
