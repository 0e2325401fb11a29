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

test('SHA-256 equals that of WebCrypto for every text', async () => {
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

test('canonical JSON keeps the value and ignores the order of members', () => {
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

test('an absent and an undefined member have the same hash, and a changed member another', () => {
  const when = { kind: 'all-day', start: '2027-03-08', end: '2027-03-09' } as const;
  const core = { busy: 'busy', private: false, self: 'none', kind: 'default' } as const;
  const hash = contentHash({ kind: 'single', when, core });
  expect(contentHash({ core: { ...core, title: undefined }, when, kind: 'single' })).toBe(hash);
  expect(contentHash({ kind: 'single', when, core: { ...core, title: '' } })).not.toBe(hash);
  expect(contentHash({ kind: 'single', when: { ...when, end: '2027-03-10' }, core })).not.toBe(hash);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
});

test('reminders change no hash, whether its JSON is given or not', () => {
  const when = { kind: 'all-day', start: '2027-03-08', end: '2027-03-09' } as const;
  const core = { busy: 'busy', private: false, self: 'none', kind: 'default', title: '"reminders":[1]' } as const;
  const plain = { kind: 'single', when, core } as const;
  const reminded: EventBody = { kind: 'single', when, core: { ...core, reminders: [10, 60] } };
  expect(canonicalJson(reminded)).not.toBe(canonicalJson(plain));
  expect(contentHash(reminded)).toBe(contentHash(plain));
  for (const body of [plain, reminded]) expect(contentHashOf(body, canonicalJson(body))).toBe(contentHash(plain));
});
