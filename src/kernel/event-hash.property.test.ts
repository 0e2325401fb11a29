import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventBody } from '#kernel/event.ts';
import { canonicalJson, contentHash, contentHashOf } from '#kernel/event-hash.ts';
import { sha256 } from '#kernel/sha256.ts';
import { runs } from '../../test/harness/law-budget.ts';

/** The platform's own, which answers only later. */
async function webSha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

test('SHA-256 is that of WebCrypto for every text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 300 }), async (text) => {
      expect(sha256(text)).toBe(await webSha256(text));
    }),
    { numRuns: runs(500) },
  );
  for (let length = 0; length < 200; length += 1) {
    const text = 'é'.repeat(length);
    expect(sha256(text)).toBe(await webSha256(text));
  }
  const large = 'x'.repeat(2_000_000);
  expect(sha256(large)).toBe(await webSha256(large));
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('canonical JSON says the same value, and the order of members does not matter', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [key, reversed(member)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reversed(JSON.parse(text)))).toBe(text);
    }),
    { numRuns: runs(200) },
  );
});

test('an absent member and an undefined one are the same, a changed one is not', () => {
  const when = { kind: 'all-day', start: '2027-03-08', end: '2027-03-09' } as const;
  const core = { busy: 'busy', private: false, self: 'none', kind: 'default' } as const;
  const hash = contentHash({ kind: 'single', when, core });
  expect(contentHash({ core: { ...core, title: undefined }, when, kind: 'single' })).toBe(hash);
  expect(contentHash({ kind: 'single', when, core: { ...core, title: '' } })).not.toBe(hash);
  expect(contentHash({ kind: 'single', when: { ...when, end: '2027-03-10' }, core })).not.toBe(hash);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
});

test('reminders change no hash, with the JSON at hand or without', () => {
  const when = { kind: 'all-day', start: '2027-03-08', end: '2027-03-09' } as const;
  const core = { busy: 'busy', private: false, self: 'none', kind: 'default', title: '"reminders":[1]' } as const;
  const plain = { kind: 'single', when, core } as const;
  const reminded: EventBody = { kind: 'single', when, core: { ...core, reminders: [10, 60] } };
  expect(canonicalJson(reminded)).not.toBe(canonicalJson(plain));
  expect(contentHash(reminded)).toBe(contentHash(plain));
  for (const body of [plain, reminded]) expect(contentHashOf(body, canonicalJson(body))).toBe(contentHash(plain));
});
