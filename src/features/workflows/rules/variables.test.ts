import { describe, expect, it } from 'vitest';
import { fillVariables, unknownVariables } from './variables.ts';

describe('workflow variables', () => {
  it("a variable in a guest's text is not replaced", () => {
    expect(
      fillVariables('Hello {guest_name} of { event_name }', { guest_name: '{host_email}', event_name: 'Intro' }),
    ).toBe('Hello {host_email} of Intro');
  });

  it('unknown variables and variables without meaning for the trigger are reported', () => {
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
    'a template expression is not evaluated: %s',
    (text) => {
      expect(fillVariables(text, { guest_name: 'Gus' })).not.toContain('49');
      expect(fillVariables('{toString}{__proto__}', {})).toBe('');
    },
  );

  it('unmatched and empty braces stay unchanged', () => {
    expect(fillVariables('a { b', {})).toBe('a { b');
    expect(fillVariables('{ 1 } {}', {})).toBe('{ 1 } {}');
  });
});
