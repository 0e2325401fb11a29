import { expect, test } from 'vitest';

const files = import.meta.glob<Catalog>('./locales/en/*.json', { import: 'default', eager: true });
const en = Object.fromEntries(
  Object.entries(files).map(([path, words]) => [path.replace(/^.*\/|\.json$/g, ''), words]),
);

const sources = import.meta.glob<string>(
  ['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../{kernel,platform,providers,emulators}/**'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);

interface Catalog {
  [key: string]: string | Catalog;
}

function keysOf(catalog: Catalog, prefix = ''): string[] {
  return Object.entries(catalog).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  );
}

/** `failed_one` and `failed_other` are one key to the code that asks. */
const askedFor = (key: string) => key.replace(/_(?:zero|one|two|few|many|other)$/, '');

const known = new Set(keysOf(en).map(askedFor));
const areas = Object.keys(en).join('|');
const literal = new RegExp(`['"\`]((?:${areas})(?:\\.[a-zA-Z]\\w*)+)['"\`]`, 'g');

/** The start of a key whose last word is a state: `calendar.status.${status}`. */
const beginning = new RegExp(`\`((?:${areas})(?:\\.[a-zA-Z]\\w*)*\\.)\\$\\{[^}]*\\}\``, 'g');

/** Keys stand in the code whole, or up to a last word that is a state. */
const used = new Map<string, string>();
for (const [file, text] of Object.entries(sources)) {
  // Announcements and audit types (`sync.mirrored`) are words of the server; only browser code asks for texts.
  if (!/\/(?:web|ui)\//.test(file) && !file.startsWith('./') && !file.startsWith('../ui/')) continue;
  for (const [, key] of text.matchAll(literal)) if (key) used.set(key, file);
  for (const [, prefix] of text.matchAll(beginning)) {
    const family = [...known].filter(
      (key) => prefix && key.startsWith(prefix) && !key.slice(prefix.length).includes('.'),
    );
    for (const key of family.length > 0 ? family : [`${prefix}*`]) used.set(key, file);
  }
}

test('the scan for text keys finds the keys in the code', () => {
  expect(used.size).toBeGreaterThan(150);
});

test('every text key that a screen uses is in the English catalog', () => {
  const missing = [...used].filter(([key]) => !known.has(key)).map(([key, file]) => `${key} (${file})`);
  expect(missing).toEqual([]);
});

test('every text key of the English catalog is used by a screen', () => {
  expect([...known].filter((key) => !used.has(key))).toEqual([]);
});

test('a text key with a count has both English plural forms', () => {
  const keys = keysOf(en);
  const counted = keys.filter((key) => key.endsWith('_one') || key.endsWith('_other')).map(askedFor);
  const incomplete = [...new Set(counted)].filter(
    (key) => !keys.includes(`${key}_one`) || !keys.includes(`${key}_other`),
  );
  expect(incomplete).toEqual([]);
});
