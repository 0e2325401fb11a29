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

describe('differences between event versions', () => {
  it('versions of an event differ in edited fields, not in guest responses', () => {
    const answered = { ...details, attendees: [{ email: 'ANA@x.example', name: null, response: 'declined' as const }] };
    expect(differingFields(details, answered)).toEqual([]);
    expect(differingFields(details, { ...details, location: 'Room 5', title: 'Review 2' })).toEqual([
      'title',
      'location',
    ]);
  });
});

describe('questions before an edit', () => {
  it('an edit asks about notifications only when the provider would notify guests', () => {
    expect(isQuestion(questionFor('delete', details, calendarOf('google')))).toBe(true);
    expect(isQuestion(questionFor('delete', details, calendarOf('holdfast')))).toBe(false);
    expect(isQuestion(questionFor('change', { ...details, attendees: [] }, calendarOf('google')))).toBe(false);
  });

  it('an edit of a series asks for its scope, and a new rule never applies to one instance', () => {
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

  it('a refused field is found in the form by its path in the request', () => {
    expect(refused('INVALID_INPUT', { 'changes.when.start': 'Too early' })).toEqual({ when: 'Too early' });
    expect(refused('INVALID_INPUT', { meeting_link: 'No link' })).toEqual({ meeting_link: 'No link' });
  });

  it('an error code that belongs to a field is shown there, and other codes are left to the banner', () => {
    expect(refused('BAD_RECURRENCE')).toEqual({ recurrence: 'No.' });
    expect(refused('TOO_MANY_EDITS')).toEqual({});
    expect(refusedFields(new Error('x'))).toEqual({});
  });
});
