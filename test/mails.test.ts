import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languages } from '#kernel/languages.ts';
import { renderMail } from '#platform/mail-layout.ts';
import { checkMessage } from '#platform/mail-message.ts';
import { sampleMails, storedReason } from './harness/sample-mails.ts';

/** Rules for every kind of mail, in every language. */

const look = { name: 'Holdfast', accent: '#5e53dd', isOwn: true, logo: null };
const decoded = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe.each(languages)('mails in %s', (language) => {
  const mails = sampleMails(language).map(({ name, mail }) => ({ name, mail, ...renderMail(mail, look) }));

  test.each(mails)('$name is accepted by the outbox', ({ mail }) => {
    checkMessage(mail);
  });

  test.each(mails)('$name has its language and direction, and names its links', ({ html }) => {
    expect(html).toContain(`<html lang="${language}" dir="ltr">`);
    for (const [, attributes = '', content = ''] of html.matchAll(/<a\s([^>]*)>(.*?)<\/a>/gs)) {
      expect(attributes).toMatch(/href="(https?|mailto|tel):/);
      expect(content.replaceAll(/<[^>]+>/g, '').trim()).not.toBe('');
    }
  });

  test.each(mails)('$name shows no address of this product that is no link', ({ html }) => {
    const unlinked = html.replaceAll(/<a\s[^>]*>.*?<\/a>/gs, '').replaceAll(/<[^>]+>/g, '');
    expect(unlinked).not.toMatch(/https?:\/\/calendar\./);
  });

  test.each(mails)('$name says in its text what its HTML says', ({ mail, text, html }) => {
    const squeezed = text.replaceAll(/[\s\u2068\u2069]+/g, '');
    const shown = decoded(html.replaceAll(/<(head|style)[\s>].*?<\/\1>/gs, '').replaceAll(/<[^>]+>/g, '\n'));
    for (const line of shown.split('\n').filter((one) => !/^[\s·]*$/.test(one) && one !== look.name))
      expect(squeezed).toContain(line.replaceAll(/[\s\u2068\u2069]+/g, ''));
    for (const [, url = ''] of html.matchAll(/href="(https:[^"]*)"/g)) expect(text).toContain(decoded(url));
    expect(mail.content.blocks.length).toBeGreaterThan(0);
  });

  test.each(mails)('$name has no gaps, no doubled blanks, and no long lines', ({ subject, text }) => {
    expect(`${subject}\n${text}`).not.toMatch(/\{\{|undefined|null|NaN|\[object/);
    expect(text).not.toMatch(/\S {2,}\S/);
    expect(text).not.toMatch(/[。：] /);
    for (const line of text.split('\n'))
      if (/ \S+ /.test(line) && !/[\u3040-\u9fff]/.test(line)) expect(line.length, line).toBeLessThanOrEqual(78);
  });

  test.skipIf(language === 'en')(`no mail in ${language} has a sentence of the server in English`, () => {
    for (const { name, text } of mails) expect(text.replaceAll(/\s+/g, ' '), name).not.toContain(storedReason);
  });
});

test('each mail about a booking or an answer to an invitation names it, so that its reader gets such mails in order', () => {
  const some = sampleMails('en').filter(({ mail }) => /^(booking|edits)\./.test(mail.kind));
  expect(some.length).toBeGreaterThan(40);
  for (const { name, mail } of some) expect(mail.about, name).toEqual([expect.stringMatching(/./)]);
});

/** English verbs of the past have one form: `didn't respond`, `canceled`. */
test.each(['de', 'es', 'fr'])(
  'the hosts of a meeting, one or several, begin no sentence of mails and booked pages to guests in %s',
  (language) => {
    const file = join(import.meta.dirname, `../src/features/booking/mail.${language}.json`);
    const words = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const said = JSON.stringify([words.guest, words.invited, words['another-time']]);
    expect(said.match(/(?:"|[.!?] )\{\{host\}\} [^"]{0,40}/g) ?? []).toEqual([]);
    const pages = join(import.meta.dirname, `../src/features/booking/page/words/${language}.json`);
    const shown = Object.entries(JSON.parse(readFileSync(pages, 'utf8')) as Record<string, string>);
    const ofBooked = JSON.stringify(shown.filter(([key]) => /^(booked|message)\./.test(key)).map(([, text]) => text));
    expect(ofBooked.match(/(?:"|[.!?] )\{host\} [^"]{0,40}/g) ?? []).toEqual([]);
  },
);

const valueSign = '\u0000';

/** A text of a mail with any values. */
function patternOf(words: string): RegExp {
  const plain = words.replaceAll(/\{\{\w+\}\}/g, valueSign).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${plain.replaceAll(valueSign, '.*')}$`, 's');
}

/** Subjects and first texts in a file of words, by their keys. */
function kindsIn(words: object, above: readonly string[] = []): { key: string; words: string }[] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'object'
      ? kindsIn(value, [...above, key])
      : /^(subject|text)/.test(key)
        ? [{ key: [...above, key].join('.'), words: value as string }]
        : [],
  );
}

test('every subject and every first text of a mail has an example', () => {
  const stringsIn = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value, ...value.split('\n')]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(stringsIn)
        : [];
  const shown = sampleMails('en').flatMap(({ mail }) => stringsIn(mail.content));
  const root = join(import.meta.dirname, '..');
  const missing = globSync('src/features/*/mail.en.json', { cwd: root }).flatMap((path) => {
    const words = JSON.parse(readFileSync(join(root, path), 'utf8')) as object;
    return kindsIn(words)
      .filter((kind) => !shown.some((text) => patternOf(kind.words).test(text)))
      .map(({ key }) => `${path.split('/')[2]}: ${key}`);
  });
  expect(missing).toEqual([]);
});

test('each feature with words for mails has examples of them', () => {
  const features = globSync('src/features/*/mail.en.json', { cwd: join(import.meta.dirname, '..') });
  const shown = new Set(sampleMails('en').map(({ mail }) => mail.kind.split('.')[0]));
  expect(features.map((path) => path.split('/')[2] ?? '').filter((feature) => !shown.has(feature))).toEqual([]);
});
