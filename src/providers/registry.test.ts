import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faceOf } from './registry.ts';

test('a provider has the same color in the chooser and in lists', async () => {
  const tokens = await readFile(join(import.meta.dirname, '../ui/tokens.css'), 'utf8');
  const tokenOf = (word: string) => new RegExp(`--hf-provider-${word}: (#[0-9a-f]{6});`).exec(tokens)?.[1];
  for (const [provider, profile, word] of [
    ['google', 'generic', 'google'],
    ['microsoft', 'generic', 'outlook'],
    ['caldav', 'icloud', 'icloud'],
    ['caldav', 'davmail', 'exchange'],
  ] as const)
    expect(faceOf({ provider, profile }), word).toMatchObject({ word, color: tokenOf(word) });
  // the specification: gray and green
  expect([tokenOf('icloud'), tokenOf('exchange')]).toEqual(['#8e8e93', '#0f7b3f']);
});
