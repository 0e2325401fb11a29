import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/harness/law-budget.ts';
import { foldText } from './fold-text.ts';

test('folding ignores case, accents and punctuation and keeps letters of other alphabets', () => {
  expect(foldText('  Łódź, naïve@x.org! ')).toBe('lodz naive x org');
  expect(foldText('Straße')).toBe(foldText('STRASSE'));
  expect(foldText('İstanbul ISPARTA')).toBe('istanbul isparta');
  expect(foldText('Ärzte – ＡＢＣ')).toBe('arzte abc');
  expect(foldText('東京 会議')).toBe('東京 会議');
  expect(foldText('한국어')).toBe('한국어');
  expect(foldText('हिन्दी')).toBe('हिन्दी');
});

test('folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(foldText(foldText(text))).toBe(foldText(text));
    }),
    { numRuns: runs(300) },
  );
});
