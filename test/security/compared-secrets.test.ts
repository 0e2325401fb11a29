import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSameSecret, mintToken } from '#platform/crypto.ts';

/** Row 77 of the security test plan: how long a comparison takes tells nothing about a secret. */

const root = join(import.meta.dirname, '../../src');

/** Screens compare what one person typed twice; providers and the ledger compare contents, whose hashes are no secret. */
const elsewhere =
  /\.test\.|^emulators\/|^providers\/|^kernel\/|\/web\/|^web\/|^ui\/|^features\/sync\/(?!take-notices|hooks)/;

async function sources(): Promise<{ path: string; text: string }[]> {
  const names = await readdir(root, { recursive: true });
  const paths = names.filter((name) => /\.tsx?$/.test(name) && !elsewhere.test(name));
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })));
}

/** Something that proves who somebody is, compared letter by letter, or byte by byte, with something that came. */
const secret = String.raw`\w*(?:token|secret|hash|digest|signature|password|csrf|nonce|code)`;
const compared = new RegExp(
  String.raw`\b${secret}\)*\s*[!=]==?\s*[\w(]|[!=]==?\s*(?:[\w.]+\.)?${secret}\b|\.equals\(|Buffer\.compare\(`,
  'i',
);
/** Whether it is there at all, or a word of a protocol. */
const withWord = /[!=]==?\s*(?:undefined|null|\d)/;

const harmless: Record<string, string> = {
  'features/access/identities/journeys.ts': 'a word that says what went wrong',
  'features/access/sign-in/sign-in.ts': 'two hashes of ours: whether the password was changed meanwhile',
  'features/availability/absences.ts': 'two names of countries',
  'features/booking/brought/links.ts': 'one spelling of a token, before its signature is compared in constant time',
  'features/booking/find-kept-answer.ts': 'two hashes of requests: whether one key came with another request',
  'features/booking/switch-event-type.ts': 'two switches of an event type, one of which hides it',
  'features/calendar/rules/nearest-free.ts': 'two times of day',
  'features/connections/oauth/access.ts': 'two tokens of ours: whether another process renewed it',
  'features/edits/writing.ts': 'a word that says why a provider refused',
  'features/edits/steps.ts': 'a word that says why a provider refused',
  'features/routing/rules/fact.ts': 'two names of zones',
  'platform/log.ts': 'a code of PostgreSQL: whether its disk is full',
  'platform/picture.ts': 'words of the drawing process',
};

async function findComparisons(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { path, text } of await sources()) {
    for (const line of text.split('\n')) {
      if (/^\s*(?:\*|\/\/|\/\*)/.test(line) || !compared.test(line) || withWord.test(line)) continue;
      found.set(path, [...(found.get(path) ?? []), line.trim()]);
    }
  }
  return found;
}

test('no secret from a request is compared with ===, equals, or compare', async () => {
  const found = await findComparisons();
  expect([...found].filter(([path]) => harmless[path] === undefined)).toEqual([]);
  for (const [path, why] of Object.entries(harmless)) expect(found.get(path), `${path}: ${why}`).toBeDefined();
});

test('the check for compared secrets finds unsafe comparisons', () => {
  for (const line of [
    'if (token === given) return true;',
    'return row.tokenHash !== hash;',
    'if (a.secret == b) {',
    'if (hashToken(typed).equals(stored)) {',
    'if (given === config.metricsToken) x();',
    'signature === expected',
    'if (hash(one) === tokenHash)',
  ]) {
    expect(compared.test(line) && !withWord.test(line), line).toBe(true);
  }
});

test('a nearly right secret takes as long to compare as a wrong one', () => {
  const right = mintToken();
  const near = `${right.slice(0, -1)}${right.endsWith('A') ? 'B' : 'A'}`;
  const far = randomBytes(32).toString('base64url');
  const took = { near: [] as number[], far: [] as number[] };
  const measure = (guess: string) => {
    const startedMs = performance.now();
    for (let at = 0; at < 100; at += 1) isSameSecret(guess, right);
    return performance.now() - startedMs;
  };
  for (let round = 0; round < 300; round += 1) {
    took.near.push(measure(near));
    took.far.push(measure(far));
  }
  const median = (list: number[]) => list.toSorted((a, b) => a - b)[list.length / 2] ?? 0;
  const [nearMs, farMs] = [median(took.near), median(took.far)];
  // Letter by letter would differ by what 42 letters take; noise of a loaded machine is below a tenth of the whole.
  expect(Math.abs(nearMs - farMs) / farMs).toBeLessThan(0.2);
  expect(isSameSecret(right, right)).toBe(true);
  expect([near, far, 'x', ''].map((guess) => isSameSecret(guess, right))).toEqual([false, false, false, false]);
});
