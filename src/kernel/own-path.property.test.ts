import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../test/harness/law-budget.ts';
import { ownPath } from './own-path.ts';

const site = 'https://holdfast.example';

/** Parts of addresses that lead to other sites. */
const piece = fc.constantFrom(
  '/',
  '\\',
  '\t',
  '\n',
  '.',
  '..',
  '@',
  ':',
  '?',
  '#',
  '%2f',
  '%09',
  'evil.example',
  'https:',
  ' ',
);
const address = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.webUrl(),
  fc.string(),
);

test('a path taken from any address stays on this site', () => {
  fc.assert(
    fc.property(address, (wanted) => {
      for (const asked of [wanted, `/${wanted}`]) {
        const path = ownPath(asked);
        if (path !== null) expect(new URL(path, `${site}/login`).origin).toBe(site);
      }
    }),
    { numRuns: runs(2_000) },
  );
});

test('an own path is the same when it is read again', () => {
  fc.assert(
    fc.property(address, (wanted) => {
      const path = ownPath(`/${wanted}`);
      if (path !== null) expect(ownPath(path)).toBe(path);
    }),
  );
});
