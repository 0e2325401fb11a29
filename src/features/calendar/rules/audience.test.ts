import { describe, expect, it } from 'vitest';
import { audienceOf, ownSideOf } from './audience.ts';

const own = ownSideOf(['Jane@Firm.example', 'jane.doe@gmail.com', 'jdoe']);
const meeting = (...emails: string[]) =>
  audienceOf(
    emails.map((email) => ({ email })),
    own,
  );

describe('audienceOf', () => {
  it('an event with nobody else is personal', () => {
    expect(meeting()).toBe('personal');
    expect(meeting('JANE@firm.example', 'jane.doe@gmail.com')).toBe('personal');
  });

  it('attendees at an own domain or its subdomains are colleagues', () => {
    expect(meeting('ana@firm.example')).toBe('colleagues');
    expect(meeting('ana@eu.firm.example', 'jane@firm.example')).toBe('colleagues');
  });

  it('an event with one attendee from outside is a client meeting', () => {
    expect(meeting('ana@firm.example', 'bo@client.example')).toBe('client');
    expect(meeting('bo@notfirm.example')).toBe('client');
    expect(meeting('bo@example')).toBe('client');
  });

  it('an attendee at the same public mail provider is no colleague', () => {
    expect(meeting('somebody@gmail.com')).toBe('client');
  });

  it('rooms, group calendars and invalid addresses do not count as attendees', () => {
    expect(meeting('room-3@resource.calendar.google.com', 'x@group.calendar.google.com', 'Bo', '')).toBe('personal');
  });
});
