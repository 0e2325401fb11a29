import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { languages } from '#kernel/languages.ts';
import { listErrors } from '../scripts/list-errors.ts';

const root = join(import.meta.dirname, '..');

/** Where the catalogues of the product are: the English one, and the same of another language. */
const places = [
  {
    english: 'src/web/locales/en/*.json',
    of: (path: string, language: string) => path.replace('/en/', `/${language}/`),
  },
  {
    english: 'src/features/*/mail.en.json',
    of: (path: string, language: string) => path.replace('.en.', `.${language}.`),
  },
  {
    english: 'src/platform/words/en.json',
    of: (path: string, language: string) => path.replace('/en.', `/${language}.`),
  },
  {
    english: 'src/features/*/page/words/en.json',
    of: (path: string, language: string) => path.replace('/en.', `/${language}.`),
  },
];

interface Words {
  [key: string]: string | Words;
}

const read = (path: string) => textsOf(JSON.parse(readFileSync(join(root, path), 'utf8')) as Words);

function textsOf(words: Words, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value] as const] : [...textsOf(value, `${prefix}${key}.`)],
    ),
  );
}

/** `_zero` is none of them: i18next takes it for a count of 0 in every language. */
const form = /_(one|two|few|many|other)$/;
const baseOf = (key: string) => key.replace(form, '');

/** The keys that a language must have: a counted text in each form that the language counts in. */
function keysFor(language: string, english: Map<string, string>): string[] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const keys = [...english.keys()].flatMap((key) =>
    form.test(key) ? pluralCategories.map((category) => `${baseOf(key)}_${category}`) : [key],
  );
  return [...new Set(keys)].sort();
}

/** Placeholders with the tags and texts in them. */
const filled = (text: string) => text.match(/\{+[^{}]*\}+|<\/?\w+\/?>|\$t\([^)]*\)/g) ?? [];
const sorted = (parts: readonly string[]) => [...new Set(parts)].sort();

const errors = listErrors();

describe.each(languages)('language %s', (language) => {
  for (const { english, of } of places) {
    const files = globSync(english, { cwd: root }).sort();

    test(`${language} has every text of ${english} and no others`, () => {
      expect(files).not.toEqual([]);
      for (const file of files) {
        const path = of(file, language);
        if (!existsSync(join(root, path))) expect.fail(`${path} is missing`);
        const keys = [...read(path).keys()].sort();
        expect({ path, keys }).toEqual({ path, keys: keysFor(language, read(file)) });
      }
      const others = globSync(of(english, language), { cwd: root }).filter((path) => path !== '');
      expect(others.filter((path) => !files.some((file) => of(file, language) === path))).toEqual([]);
    });

    test(`${language} keeps the placeholders and tags of ${english}`, () => {
      const wrong = files.flatMap((file) => {
        const path = of(file, language);
        if (!existsSync(join(root, path))) return [];
        const source = read(file);
        return [...read(path)].flatMap(([key, text]) => {
          const plain = source.get(key) ?? source.get(`${baseOf(key)}_other`) ?? '';
          const wanted = sorted(filled(plain));
          const there = sorted(filled(text));
          // one of something need not be counted: "an hour"
          const isSame =
            form.test(key) && !key.endsWith('_other')
              ? there.every((part) => wanted.includes(part))
              : there.join() === wanted.join();
          return isSame && (text.trim() === '') === (plain === '')
            ? []
            : [`${path} ${key}: ${there.join(' ')} instead of ${wanted.join(' ')}`];
        });
      });
      expect(wrong).toEqual([]);
    });
  }

  test.runIf(language !== 'en')(`${language} translates exactly the errors in the code`, () => {
    const path = `src/platform/errors/${language}.json`;
    const said = read(path);
    const keys = [...said.keys()];
    expect(keys.filter((key) => !errors.includes(key))).toEqual([]);
    expect(errors.filter((key) => !said.has(key))).toEqual([]);
    expect(keys.filter((key) => sorted(filled(key)).join() !== sorted(filled(said.get(key) ?? '')).join())).toEqual([]);
  });

  test.runIf(language !== 'en')(`${language} has every help article with the headings of the English one`, () => {
    const levels = (path: string) => readFileSync(join(root, path), 'utf8').match(/^#+(?= )/gm);
    for (const file of globSync('docs/help/*.md', { cwd: root }))
      expect(levels(file.replace('help/', `help/${language}/`)), file).toEqual(levels(file));
  });

  test(`${language} film captions have the times of the English ones`, () => {
    const cues = (tag: string) =>
      readFileSync(join(root, `public/tour/holdfast.${tag}.vtt`), 'utf8').match(/^[\d:.]+ --> [\d:.]+(?=\n\S)/gm);
    expect(cues(language)).toEqual(cues('en'));
  });
});

test('the scan for error texts finds the errors in the code', () => {
  expect(errors.length).toBeGreaterThan(300);
  expect(errors).toContain('The password is wrong.');
  expect(errors).toContain('You can have up to {1} {2}. Remove one you no longer need.');
});

test.each(['sv_SE.UTF-8', 'lt_LT.UTF-8', 'C'])(
  'names are sorted alike on a machine whose locale is %s',
  async (locale) => {
    const script = `import { compareNames } from './src/kernel/languages.ts';
    console.log(['Zoe', 'Ylva', 'Äke', 'Iris', 'bo'].toSorted(compareNames).join());`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: root,
      env: { ...process.env, LC_ALL: locale },
    });
    expect(stdout.trim()).toBe('Äke,bo,Iris,Ylva,Zoe');
  },
);
