import { describe, expect, it } from 'vitest';
import { audienceOf, ownSideOf } from './audience.ts';

const own = ownSideOf(['Jane@Firm.example', 'jane.doe@gmail.com', 'jdoe']);
const meeting = (...emails: string[]) =>
  audienceOf(
    emails.map((email) => ({ email })),
    own,
  );

describe('audienceOf', () => {
  it('calls an event personal that is with nobody, or with oneself', () => {
    expect(meeting()).toBe('personal');
    expect(meeting('JANE@firm.example', 'jane.doe@gmail.com')).toBe('personal');
  });

  it('calls people at one of the own domains, or under it, colleagues', () => {
    expect(meeting('ana@firm.example')).toBe('colleagues');
    expect(meeting('ana@eu.firm.example', 'jane@firm.example')).toBe('colleagues');
  });

  it('calls it a client meeting as soon as one person is from outside', () => {
    expect(meeting('ana@firm.example', 'bo@client.example')).toBe('client');
    expect(meeting('bo@notfirm.example')).toBe('client');
    expect(meeting('bo@example')).toBe('client');
  });

  it('takes nobody for a colleague because both have a mailbox at the same public provider', () => {
    expect(meeting('somebody@gmail.com')).toBe('client');
  });

  it('does not count rooms, group calendars, or what is no address', () => {
    expect(meeting('room-3@resource.calendar.google.com', 'x@group.calendar.google.com', 'Bo', '')).toBe('personal');
  });
});
