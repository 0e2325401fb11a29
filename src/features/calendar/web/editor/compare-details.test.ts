import { describe, expect, it } from 'vitest';
import { ApiError } from '#kernel/contract-client.ts';
import type { CalendarRow } from '../grid-event.ts';
import { isQuestion } from './ask-dialog.tsx';
import { differingFields } from './compare-details.ts';
import type { EventDetails } from './edit-shapes.ts';
import { questionFor } from './question-for.ts';
import { refusedFields } from './refused-fields.ts';

const details = {
  title: 'Review',
  when: { kind: 'timed', start: '2026-11-20T09:00', end: '2026-11-20T10:00', zone: 'Europe/Berlin' },
  calendar_id: 'c1',
  recurrence: null,
  description: '',
  location: '',
  meeting_link: null,
  attendees: [{ email: 'ana@x.example', name: 'Ana', response: 'accepted' }],
  busy: 'busy',
  private: false,
  reminders: null,
  series: null,
} as unknown as EventDetails;
const calendarOf = (provider: string) => [{ id: 'c1', provider } as CalendarRow];

describe('two versions of an event', () => {
  it('differ in what was edited, not in what guests have answered', () => {
    const answered = { ...details, attendees: [{ email: 'ANA@x.example', name: null, response: 'declined' as const }] };
    expect(differingFields(details, answered)).toEqual([]);
    expect(differingFields(details, { ...details, location: 'Room 5', title: 'Review 2' })).toEqual([
      'title',
      'location',
    ]);
  });
});

describe('what is asked before an edit', () => {
  it('is whether guests are told, where there is somebody who would', () => {
    expect(isQuestion(questionFor('delete', details, calendarOf('google')))).toBe(true);
    expect(isQuestion(questionFor('delete', details, calendarOf('holdfast')))).toBe(false);
    expect(isQuestion(questionFor('change', { ...details, attendees: [] }, calendarOf('google')))).toBe(false);
  });

  it('is which of a series, never a single one for another rule', () => {
    const series = {
      ...details,
      series: { starts: '', complex: false, scopes: ['this', 'following', 'all'] as const },
    };
    const repeating = series as unknown as EventDetails;
    expect(questionFor('change', repeating, calendarOf('google')).scopes).toEqual(['this', 'following', 'all']);
    expect(
      questionFor('change', repeating, calendarOf('google'), { changes: { recurrence: 'FREQ=DAILY' } }).scopes,
    ).toEqual(['following', 'all']);
  });
});

describe('refusedFields', () => {
  const refused = (code: string, fields?: Record<string, string>) =>
    refusedFields(new ApiError(400, code, 'No.', fields === undefined ? {} : { fields }));

  it('finds the field of the form by the path in the call', () => {
    expect(refused('INVALID_INPUT', { 'changes.when.start': 'Too early' })).toEqual({ when: 'Too early' });
    expect(refused('INVALID_INPUT', { meeting_link: 'No link' })).toEqual({ meeting_link: 'No link' });
  });

  it('knows the field of a code, and leaves the rest to the banner', () => {
    expect(refused('BAD_RECURRENCE')).toEqual({ recurrence: 'No.' });
    expect(refused('TOO_MANY_EDITS')).toEqual({});
    expect(refusedFields(new Error('x'))).toEqual({});
  });
});
