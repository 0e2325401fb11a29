import { describe, expect, test } from 'vitest';
import { renderMail } from './mail-layout.ts';
import type { MailContent } from './mail-message.ts';

const url = 'http://localhost/password/reset?email=a%40b.example&code=Zm9v';
const content = (more: Partial<MailContent> = {}): MailContent => ({
  subject: 'Choose a new password',
  heading: 'Choose a new password',
  blocks: [
    { text: 'Hello,\nhere it is.' },
    { button: { label: 'Choose', url } },
    { code: '483 920' },
    { facts: [['Device', 'Firefox on Linux']] },
    { small: 'It was not you? Then do nothing.' },
  ],
  ...more,
});
const look = { name: 'Holdfast', accent: '#5e53dd', isOwn: true, logo: null };

const render = (given: MailContent, locale = 'en') => renderMail({ locale, content: given }, look);

test('the plain text of a mail has everything that its HTML has', () => {
  const { text } = render(content());
  for (const part of ['Choose a new password', 'Hello,\nhere it is.', url, '483 920', 'Device: Firefox on Linux'])
    expect(text).toContain(part);
  expect(text).toContain('Then do nothing.');
});

test('the text of a mail is as readable as its HTML: lines, labels, and addresses', () => {
  const typed = '\u2068Ada\u2069';
  const blocks: MailContent['blocks'] = [
    { text: `${typed} ${'has written more than fits on one line. '.repeat(4)}` },
    { button: { label: 'Join', url, quiet: true } },
    { links: { label: 'Add', to: [{ label: 'Here', url: 'https://a.example/' }] } },
    {
      facts: [
        ['Where', 'Main Street 1\nSpringfield', 'https://maps.example/'],
        ['Phone', '+49 30', 'tel:+4930'],
        ['Guest', '\u2068\u05de\u05e8\u05d9\u05dd\u2069'],
      ],
    },
  ];
  const { text, subject } = render(content({ subject: `From ${typed}`, blocks }));
  expect(subject).toBe('From Ada');
  expect(text).toContain('Ada has written');
  expect(text).toContain(`Join:\n${url}\n`);
  expect(text).toContain('Add:\n\nHere:\nhttps://a.example/\n');
  expect(text).toContain('Where: Main Street 1\n  Springfield\n  https://maps.example/\nPhone: +49 30\n');
  // the text runs against the rest
  expect(text).toContain('Guest: \u2068\u05de\u05e8\u05d9\u05dd\u2069');
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(76);
  const lines = (locale: string) => render(content({ blocks: [{ facts: [['Quoi', 'x']] }] }), locale).text;
  expect([lines('fr'), lines('ja')]).toEqual([
    expect.stringContaining('Quoi\u00a0: x'),
    expect.stringContaining('Quoi：x'),
  ]);
});

describe('mail HTML', () => {
  test('a label as wide as a question is above its values, however many letters make that width', () => {
    const label = (text: string) => render(content({ blocks: [{ facts: [[text, 'x']] }] })).html;
    // half of a phone would be left for an address
    expect(label('Invitados adicionales')).not.toContain('<th');
    expect(label('Additional guests')).toContain('<th');
    expect(label('ご相談になりたい内容をお聞かせ')).not.toContain('<th');
    expect(label('キャンセルについて')).toContain('<th');
  });

  test('mail HTML has no invisible signs around text that runs as the rest, and keeps them around text that does not', () => {
    const { html } = render(content({ heading: '\u2068Ada\u2069 and \u2068\u05de\u05e8\u05d9\u05dd\u2069' }));
    expect(html).toContain('Ada and \u2068\u05de\u05e8\u05d9\u05dd\u2069');
    expect(html.match(/[\u2068\u2069]/g)).toHaveLength(2);
  });

  test('mail HTML makes a link of an address alone on its line, and of nothing that others typed', () => {
    const { html } = render(
      content({
        blocks: [
          {
            facts: [
              ['Times', 'Monday\nhttps://meet.example/a'],
              ['Answer', '\u2068https://evil.example\u2069'],
            ],
          },
        ],
      }),
    );
    expect(html).toContain('<a href="https://meet.example/a"');
    expect(html).not.toContain('href="https://evil');
  });

  test('mail HTML makes links of addresses in a text that a host wrote, without the stops after them', () => {
    const text =
      'See https://a.example/plan?a=1&b=(2), or (https://b.example/).\nNot \u2068https:\u2060//evil.\u2060example\u2069.';
    const { html } = render(content({ blocks: [{ text }] }));
    const addresses = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, one]) => one);
    expect(addresses).toEqual(['https://a.example/plan?a=1&amp;b=(2', 'https://b.example/']);
  });

  test('mail HTML has a language, a direction, one heading, and no bare address', () => {
    const { html } = render(content(), 'ar');
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).toContain(`href="${url.replace('&', '&amp;')}"`);
    expect(html).not.toContain(`>${url.replace('&', '&amp;')}`);
  });

  test('mail HTML loads no images, styles, fonts, or tracking pixels', () => {
    const { html } = render(content());
    expect(html).not.toMatch(/<(img|link|script|iframe|object|svg)|src=|url\(|@import|@font-face/i);
    const addresses = [...html.matchAll(/https?:\/\/[^"<\s]+/g)].map(([found]) => found.replaceAll('&amp;', '&'));
    expect(new Set(addresses)).toEqual(new Set([url]));
  });

  test('mail HTML escapes markup in every block', () => {
    const bad = `"><img src=x onerror=alert(1)>'&\ud800`;
    const { html } = render({
      subject: bad,
      heading: bad,
      blocks: [
        { text: bad },
        { button: { label: bad, url: 'http://localhost/?a="><img src=x>' } },
        { code: bad },
        { facts: [[bad, bad]] },
        { small: bad },
      ],
    });
    expect(html).not.toContain('<img');
    expect(html).not.toMatch(/\p{Cs}/u);
  });

  test('mail HTML is readable in light mode, dark mode, and with inverted colors', () => {
    const { html } = render(content());
    const [light, dark] = [html.replace(/@media \(prefers-color-scheme: dark\)[\s\S]*?\n {2}\}/, ''), html];
    const inks = [...light.matchAll(/[;"]color:(#[0-9a-f]{6})/g)].map((match) => match[1] as string);
    expect(new Set(inks)).toEqual(new Set(['#1a1a1f', '#62626e', '#ffffff']));
    for (const ink of inks.filter((one) => one !== '#ffffff')) {
      for (const ground of ['#ffffff', '#f8f8fa']) {
        expect(contrast(ink, ground), `${ink} on ${ground}`).toBeGreaterThan(4.5);
        expect(contrast(turned(ink), turned(ground)), `${ink} on ${ground}, turned`).toBeGreaterThan(4.5);
      }
    }
    expect(contrast('#ffffff', '#5e53dd')).toBeGreaterThan(4.5);
    const darkInks = [...dark.matchAll(/[{ ]color: (#[0-9a-f]{6}) !important/g)].map((match) => match[1] as string);
    expect(darkInks.length).toBeGreaterThan(1);
    for (const ink of darkInks) expect(contrast(ink, '#1c1c21'), `${ink}, dark`).toBeGreaterThan(4.5);
  });
});

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = channels(hex).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Lightness flipped, hue and chroma kept. */
function turned(hex: string): string {
  const parts = channels(hex);
  const sum = Math.max(...parts) + Math.min(...parts);
  const flipped = parts.map((c) => Math.round(Math.min(1, Math.max(0, c + 1 - sum)) * 255));
  return `#${flipped.map((c) => c.toString(16).padStart(2, '0')).join('')}`;
}
