import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addGuests, parseAddresses } from './parse-addresses.ts';

const emails = (text: string) => parseAddresses(text).guests.map((guest) => guest.email);

describe('parseAddresses', () => {
  it('addresses are read with any separator', () => {
    expect(emails('a@x.example, b@x.example; c@x.example\nd@x.example e@x.example\tmailto:f@x.example')).toEqual([
      'a@x.example',
      'b@x.example',
      'c@x.example',
      'd@x.example',
      'e@x.example',
      'f@x.example',
    ]);
  });

  it('names are read as mail programs write them', () => {
    expect(parseAddresses('Ana Lima <ana@x.example>, "Smith, Jo" <jo@x.example> Bo <bo@x.example>')).toEqual({
      guests: [
        { email: 'ana@x.example', name: 'Ana Lima' },
        { email: 'jo@x.example', name: 'Smith, Jo' },
        { email: 'bo@x.example', name: 'Bo' },
      ],
      rest: '',
    });
  });

  it('text that is no address is returned unparsed', () => {
    expect(parseAddresses('ana@x.example, bob, x@, <nobody>')).toEqual({
      guests: [{ email: 'ana@x.example', name: null }],
      rest: 'bob, x@, <nobody>',
    });
    expect(parseAddresses('ana@localhost').guests).toEqual([]);
  });

  it('a guest is found after any pasted text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (noise) => {
        const text = noise.replaceAll(/["<>]/g, '');
        expect(emails(`${text}\nana@x.example`)).toContain('ana@x.example');
      }),
    );
  });
});

describe('addGuests', () => {
  it('a guest is added once in any letter case, and a missing name is filled in', () => {
    expect(addGuests([{ email: 'ana@x.example', name: null }], [{ email: 'ANA@x.example', name: 'Ana' }], 200)).toEqual(
      [{ email: 'ana@x.example', name: 'Ana' }],
    );
  });

  it('guests are added up to the limit of an event', () => {
    const many = Array.from({ length: 10 }, (_, n) => ({ email: `g${n}@x.example`, name: null }));
    expect(addGuests([], many, 4)).toHaveLength(4);
  });
});
