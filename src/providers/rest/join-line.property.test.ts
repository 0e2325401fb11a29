import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTexts, writeTexts } from './join-line.ts';

const links = ['https://zoom.us/j/1', 'https://call.example/a?b=1', 'https://teams.microsoft.com/l/x', undefined];
const link = fc.constantFrom(...links);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom('Room 1', 'See https://zoom.us/j/1 first', 'Agenda\nJoin: https://call.example/a?b=1', 'a\n\nb\n'),
);
const texts = fc.record({ location: fc.option(text, { nil: undefined }), notes: fc.option(text, { nil: undefined }) });

test('a written join link is read back, and the texts around it stay', () => {
  fc.assert(
    fc.property(texts, link, (given, joinUrl) => {
      fc.pre(joinUrl !== undefined);
      const { joinUrl: none, ...stand } = writeTexts(null, { ...given, joinUrl }, undefined);
      expect(none).toBeUndefined();
      const read = readTexts(stand, undefined);
      expect(read).toEqual(readTexts(given, joinUrl));
      // And written once more it stands as it stood.
      expect(writeTexts(read, read, undefined)).toEqual(stand);
    }),
  );
});

test('a replaced or removed join link appears in no text', () => {
  fc.assert(
    fc.property(texts, link, link, (given, old, joinUrl) => {
      fc.pre(old !== undefined && old !== joinUrl);
      const before = readTexts(writeTexts(null, { ...given, joinUrl: old }, undefined), undefined);
      const stand = writeTexts(before, { ...before, joinUrl }, undefined);
      expect(JSON.stringify(stand)).not.toContain(old);
      if (joinUrl !== undefined) expect(readTexts(stand, undefined).joinUrl).toBe(joinUrl);
    }),
  );
});

test("the provider's own join link takes precedence and adds nothing to the texts", () => {
  fc.assert(
    fc.property(texts, (given) => {
      const own = 'https://meet.google.com/abc';
      const read = readTexts(given, own);
      expect(read.joinUrl).toBe(own);
      const { joinUrl: _, ...stand } = read;
      expect(writeTexts(read, read, own)).toEqual(stand);
    }),
  );
});
