import { describe, expect, it } from 'vitest';
import { fillVariables, unknownVariables } from './variables.ts';

describe('variables', () => {
  it('a text is filled in one pass: what a guest types is never a variable', () => {
    expect(
      fillVariables('Hello {guest_name} of { event_name }', { guest_name: '{host_email}', event_name: 'Intro' }),
    ).toBe('Hello {host_email} of Intro');
  });

  it('what is not on the list, or means nothing when this happens, is named', () => {
    expect(unknownVariables('{guest_name} {guestname} {constructor} {Guest_Name}', 'before-event')).toEqual([
      'guestname',
      'constructor',
      'Guest_Name',
    ]);
    expect(unknownVariables('{guest_name}', 'calendar-disconnected')).toEqual(['guest_name']);
    expect(unknownVariables('{problem} {host_name}', 'calendar-disconnected')).toEqual([]);
    expect(unknownVariables('{form_answers} {guest_email} {event_name}', 'form-submitted')).toEqual(['event_name']);
  });

  it.each(['{{constructor.constructor("return 1")()}}', '#{7*7}', '<%= 7 %>', '{__proto__}'])(
    'nothing is worked out of %s',
    (text) => {
      expect(fillVariables(text, { guest_name: 'Gus' })).not.toContain('49');
      expect(fillVariables('{toString}{__proto__}', {})).toBe('');
    },
  );

  it('braces that name nothing stay as they are', () => {
    expect(fillVariables('a { b', {})).toBe('a { b');
    expect(fillVariables('{ 1 } {}', {})).toBe('{ 1 } {}');
  });
});
