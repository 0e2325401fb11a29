import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listErrors } from '../scripts/list-errors.ts';

const root = join(import.meta.dirname, '..');

/** The rules of docs/style.md that a program can see: a pattern, and the words to use instead. */
const rules: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:whoever|somebody|everybody|nobody)\b/i,
    'a noun, such as "guests", "anyone with the link", "your administrator"',
  ],
  [
    /\banew\b|\bfor ever\b|\bmeanwhile\b|\b(?:by|of) (?:itself|themselves)\b/i,
    '"again", "permanently", "automatically"',
  ],
  [/\bgoes on\b|\btaken back\b|\bstands\b(?!-)/i, '"continues", "undone" or "revoked", "is"'],
  [/(?:^|[.!?:]\s+)(?:What|Who|Whose|Whom|Of) [^.!?]*(?:[.!]|$)/, 'a noun or "you" as the subject'],
  [/\be-mails?\b/i, '"email"'],
  [/\bmail(?:s|ed)?\b(?! server)/i, '"email"'],
  [/\blog(?:ged|ging)? (?:in|out)\b|\blogin\b/i, '"sign in", "sign out"'],
  [/\btimezones?\b/i, '"time zone"'],
  [
    /\bcolour|\bcancell(?:ed|ing)\b|\borganis|\bauthoris|\blicence\b|\bneighbour|\bcentre\b|\btravell/i,
    'American spelling',
  ],
];

/** Texts that the specification quotes word for word, and the words that the palette's search accepts for a command. */
const quoted = [
  'Back to Login',
  'Booking Cancelled',
  'Login',
  'Login failed',
  'Open it within 24 hours, then log in.',
  'Password reset successfully. Please log in with your new password.',
  'This email is already registered. Please use a different email or try logging in.',
  'Timezone',
  'log out leave',
];

interface Words {
  [key: string]: string | Words;
}

const textsOf = (words: Words): string[] =>
  Object.values(words).flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value)));

const catalogs = [
  'src/web/locales/en/*.json',
  'src/features/*/mail.en.json',
  'src/features/*/page/words/en.json',
  'src/platform/words/en.json',
];

const sources: Record<string, () => string[]> = Object.fromEntries([
  ...catalogs.map((pattern) => [
    pattern,
    () =>
      globSync(pattern, { cwd: root }).flatMap((file) =>
        textsOf(JSON.parse(readFileSync(join(root, file), 'utf8')) as Words),
      ),
  ]),
  ['refusals', listErrors],
  ['docs/help/*.md', () => globSync('docs/help/*.md', { cwd: root }).flatMap((file) => linesOf(join(root, file)))],
]);

/** Without addresses of links. */
const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split('\n');

const unquoted = (text: string) =>
  quoted.reduce((rest, one) => (rest === one || one.includes(' ') ? rest.replaceAll(one, '') : rest), text);

const findOffenses = (texts: readonly string[]) =>
  texts.flatMap((text) =>
    rules.filter(([pattern]) => pattern.test(unquoted(text))).map(([, instead]) => `${text} → ${instead}`),
  );

describe('English texts follow docs/style.md', () => {
  test.each(Object.keys(sources))('%s', (name) => {
    const texts = sources[name]?.() ?? [];
    expect(texts.length).toBeGreaterThan(20);
    expect(findOffenses(texts)).toEqual([]);
  });

  test.each([
    'Ask whoever runs this install.',
    'Nothing was changed: what you have goes on.',
    'What others will see',
    'Saved. Who has the link can book.',
    'Confirm your e-mail address.',
    'Your Timezone',
    'The colour of the calendar',
    'Cancelled',
  ])('refused: %s', (text) => {
    expect(findOffenses([text])).not.toEqual([]);
  });

  test.each([
    'Who can sign up?',
    'No mail server is configured.',
    'A team can have up to 5 stand-ins.',
    'Booking Cancelled',
  ])('accepted: %s', (text) => {
    expect(findOffenses([text])).toEqual([]);
  });
});
