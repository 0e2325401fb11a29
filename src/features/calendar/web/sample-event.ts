import type { GridEvent } from './grid-event.ts';

/** A plain event for tests, with what a test is about. */
export function sampleEvent(more: Partial<GridEvent>): GridEvent {
  return {
    id: 'event',
    itemId: more.id ?? 'item',
    title: 'Review',
    startMs: 0,
    endMs: 0,
    allDay: undefined,
    calendarId: 'c1',
    calendarName: 'Work',
    calendarBadge: 'WO',
    accountEmail: 'jane@example.com',
    provider: 'caldav',
    color: '#4285f4',
    isMirror: false,
    mirrorOf: undefined,
    copies: undefined,
    blocks: !(more.isMirror ?? false),
    isFree: false,
    isTentative: false,
    isUnanswered: false,
    isFocus: false,
    isDeclined: false,
    isPrivate: false,
    isRecurring: false,
    notEditable: undefined,
    attendees: [],
    audience: 'personal',
    description: '',
    location: '',
    meetingLink: undefined,
    isWaiting: false,
    openUrl: undefined,
    ...more,
  };
}
