import '@fullcalendar/react/skeleton.css';
import '@fullcalendar/react/themes/classic/theme.css';
import '@fullcalendar/react/themes/classic/palette.css';
import FullCalendar, { type CalendarRef, type EventInput } from '@fullcalendar/react';
import interactionPlugin from '@fullcalendar/react/interaction';
import themePlugin from '@fullcalendar/react/themes/classic';
import timeGridPlugin from '@fullcalendar/react/timegrid';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { frameCounter, handleOf, untilPainted } from './measured-page.ts';
import { firstDay, weekOf, zone } from './week-events.ts';

/**
 * FullCalendar 7 with the same weeks and the same freedom: a named zone, three side by side, drags that snap to a
 * quarter. Features that it lacks (conflicts, slim mirrors, the words of a card) are not drawn.
 */

const place = document.getElementById('grid');
if (place === null) throw new Error('full-calendar.html has no #grid');

const plugins = [timeGridPlugin, interactionPlugin, themePlugin];
let root = createRoot(place);
let shownDay = firstDay;
let shown: CalendarRef | null = null;

const dateOf = (day: number) => new Temporal.PlainDate(1970, 1, 1).add({ days: day }).toString();
const eventsOf = (day: number, count: number): EventInput[] =>
  weekOf(day, count).map(({ id, title, startMs, endMs, color }) => ({
    id,
    title,
    start: Temporal.Instant.fromEpochMilliseconds(startMs).toString(),
    end: Temporal.Instant.fromEpochMilliseconds(endMs).toString(),
    color,
  }));

function show(events: EventInput[]): void {
  root.render(
    <FullCalendar
      ref={(calendar) => {
        shown = calendar;
      }}
      plugins={plugins}
      initialView="timeGridWeek"
      initialDate={dateOf(firstDay)}
      firstDay={Temporal.PlainDate.from(dateOf(firstDay)).dayOfWeek % 7}
      timeZone={zone.id}
      headerToolbar={false}
      height={800}
      slotDuration="01:00"
      snapDuration="00:15"
      slotEventOverlap={false}
      eventMaxStack={3}
      scrollTime="08:00"
      nowIndicator
      editable
      selectable
      eventDidMount={({ el }) => el.toggleAttribute('data-event', true)}
      events={events}
    />,
  );
}

window.weekGridBench = {
  async render(count) {
    root.unmount();
    place.replaceChildren();
    root = createRoot(place);
    shownDay = firstDay;
    const events = eventsOf(shownDay, count);
    return untilPainted(() => flushSync(() => show(events)));
  },
  async next(count) {
    shownDay += 7;
    const events = eventsOf(shownDay, count);
    return untilPainted(() => {
      flushSync(() => {
        shown?.getApi().next();
        show(events);
      });
    });
  },
  async markup() {
    throw new Error('The floor is measured on our own page');
  },
  elements: () => place.querySelectorAll('*').length,
  handle: () => handleOf(place.querySelectorAll('[data-event]')),
  ...frameCounter,
};
