import { describe, expect, it } from 'vitest';
import { filledLimits, fillVariables, fitText, unknownVariables } from './variables.ts';

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

  it.each([
    ['of one byte', 'a'],
    ['of three bytes', '語'],
    ['of four bytes and two units', '😀'],
  ])('a text that repeats a long value is cut, and says so: signs %s', (_, sign) => {
    const { value, text } = filledLimits;
    const one = fillVariables('{answers}', { answers: sign.repeat(50_000) });
    expect(one.length).toBeLessThanOrEqual(value.chars);
    expect(Buffer.byteLength(one)).toBeLessThanOrEqual(value.bytes);
    const filled = fillVariables('{answers}'.repeat(444), { answers: sign.repeat(50_000) });
    expect(filled.length).toBeLessThanOrEqual(text.chars);
    expect(filled.length).toBeGreaterThan(10_000);
    expect(Buffer.byteLength(filled)).toBeLessThanOrEqual(text.bytes);
    expect(filled.endsWith('…')).toBe(true);
    expect(filled.isWellFormed()).toBe(true);
  });

  it('a text that fits exactly is not cut', () => {
    const limits = { chars: 4, bytes: 12 };
    expect([fitText('語語語語', limits), fitText('abcd', limits)]).toEqual(['語語語語', 'abcd']);
    expect(fitText('abcde', limits)).toBe('abc…');
    expect(fitText('語語', { chars: 4, bytes: 6 })).toBe('語語');
  });
});
