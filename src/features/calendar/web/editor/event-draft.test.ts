import { describe, expect, it } from 'vitest';
import {
  bodyOf,
  changesOf,
  copyOf,
  draftOf,
  newDraft,
  problemsOf,
  spanOf,
  withAllDay,
  withStart,
} from './event-draft.ts';

const hour = { startWall: '2026-11-20T09:00', endWall: '2026-11-20T10:00', allDay: false };
const draft = { ...newDraft(hour, 'Europe/Berlin', 'c1'), title: 'Lunch' };

describe('event drafts', () => {
  it('a draft sends trimmed text, and null for an empty link', () => {
    expect(bodyOf({ ...draft, title: '  Lunch ', location: ' Mensa ', meetingLink: '  ' })).toMatchObject({
      calendar_id: 'c1',
      title: 'Lunch',
      location: 'Mensa',
      meeting_link: null,
      recurrence: null,
      when: { kind: 'timed', start: '2026-11-20T09:00', end: '2026-11-20T10:00', zone: 'Europe/Berlin' },
    });
  });

  it('an all-day draft shows its last day and sends the day after', () => {
    const days = newDraft({ startWall: '2026-11-20', endWall: '2026-11-23', allDay: true }, 'Europe/Berlin', 'c1');
    expect([days.start.slice(0, 10), days.end.slice(0, 10)]).toEqual(['2026-11-20', '2026-11-22']);
    expect(bodyOf(days).when).toEqual({ kind: 'all-day', start: '2026-11-20', end: '2026-11-23' });
    expect(draftOf(bodyOf(days), 'Europe/Berlin')).toEqual(days);
  });

  it('a changed draft sends only the fields that differ', () => {
    expect(changesOf(draft, draft)).toEqual({});
    expect(changesOf(draft, { ...draft, title: 'Dinner', private: true })).toEqual({ title: 'Dinner', private: true });
    expect(Object.keys(changesOf(draft, withStart(draft, '2026-11-20T11:00')))).toEqual(['when']);
  });

  it('a rule that differs only in spelling is not sent', () => {
    const weekly = draftOf({ ...bodyOf(draft), recurrence: 'freq=weekly;interval=1;wkst=MO' }, 'Europe/Berlin');
    expect(changesOf(weekly, { ...weekly, title: 'Dinner' })).toEqual({ title: 'Dinner' });
  });

  it('a draft keeps its duration when the start moves, over midnight too', () => {
    expect(withStart(draft, '2026-11-20T23:30').end).toBe('2026-11-21T00:30');
  });

  it('a draft that becomes all-day and timed again keeps its hours, and an all-day draft gets hours', () => {
    expect(withAllDay(withAllDay(draft, true), false)).toEqual(draft);
    const days = newDraft({ startWall: '2026-11-20', endWall: '2026-11-21', allDay: true }, 'Europe/Berlin', 'c1');
    expect(withAllDay(days, false)).toMatchObject({ start: '2026-11-20T09:00', end: '2026-11-20T10:00' });
  });

  it('an invalid draft names the wrong field', () => {
    expect(problemsOf({ ...draft, title: ' \t ' })).toEqual(['title']);
    expect(problemsOf({ ...draft, end: '2026-11-20T08:00' })).toEqual(['end']);
    expect(problemsOf({ ...draft, start: '' })).toEqual(['start']);
    expect(problemsOf({ ...draft, meetingLink: 'javascript:alert(1)' })).toEqual(['meetingLink']);
    expect(problemsOf({ ...draft, meetingLink: ' https://meet.example/x ' })).toEqual([]);
  });

  it('a draft has its instants in its own zone', () => {
    const inTokyo = { ...draft, zone: 'Asia/Tokyo' };
    expect(spanOf(inTokyo)?.startMs).toBe(Temporal.Instant.from('2026-11-20T00:00:00Z').epochMilliseconds);
    expect(spanOf({ ...draft, end: '' })).toBeNull();
  });

  it('a copy is one event: at the same times, on another day, or from a place of the grid, and as long', () => {
    const body = { ...bodyOf({ ...draft, zone: 'Asia/Tokyo' }), recurrence: 'FREQ=DAILY' };
    const to = { zone: 'Europe/Berlin', calendarId: 'c2' };
    const same = copyOf(body, to);
    expect(same).toMatchObject({ title: 'Lunch', calendarId: 'c2', repeat: null, zone: 'Asia/Tokyo' });
    expect([same.start, same.end]).toEqual(['2026-11-20T09:00', '2026-11-20T10:00']);
    const there = copyOf(body, { ...to, day: '2026-12-01' });
    expect([there.start, there.end, there.zone]).toEqual(['2026-12-01T09:00', '2026-12-01T10:00', 'Asia/Tokyo']);
    const here = copyOf(body, { ...to, start: '2026-12-02T23:30', day: '2026-12-01' });
    expect([here.start, here.end, here.zone]).toEqual(['2026-12-02T23:30', '2026-12-03T00:30', 'Europe/Berlin']);
  });
});
