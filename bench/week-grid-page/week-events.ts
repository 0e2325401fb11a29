import type { GridEvent } from '#features/calendar/web/grid-event.ts';
import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';

/** Weeks of as many events as wanted, the same for every calendar that draws them. */

export const firstDay = 20_777; // 2026-11-20
export const zone = loadZone('America/New_York') ?? utc;
const colors = ['#4285f4', '#0078d4', '#0f7b3f', '#8e8e93', '#7c5cf0'];
const titles = ['Standup', '1:1 with Priya', 'Sprint planning', 'Customer call', 'Focus block', 'Board prep'];

/** The same events for the same week every time. */
export function weekOf(day: number, count: number): GridEvent[] {
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
      isUnanswered: false,
      isFocus: false,
      isDeclined,
      isPrivate: random() < 0.05,
      isRecurring: false,
      notEditable: undefined,
      isWaiting: false,
      openUrl: undefined,
      attendees: [],
      audience: 'personal',
      description: '',
      location: '',
      meetingLink: undefined,
    };
  });
  return events.sort((a, b) => a.startMs - b.startMs || b.endMs - a.endMs);
}
