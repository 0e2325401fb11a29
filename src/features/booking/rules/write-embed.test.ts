import { expect, it } from 'vitest';
import { writeEmbed } from './write-embed.ts';

const url = 'https://cal.example.org/anna/intro';

it('an inline embed is an element with its script', () => {
  expect(writeEmbed(url, 'inline', 'Book')).toBe(
    '<script async src="https://cal.example.org/embed.js"></script>\n<holdfast-booking link="anna/intro"></holdfast-booking>',
  );
});

it('text in an embed is escaped, in an element and in an attribute', () => {
  expect(writeEmbed(url, 'popup', '<b> & "co"')).toContain('>&lt;b&gt; &amp; &quot;co&quot;</button>');
  expect(writeEmbed(url, 'float', '" onclick="x')).toContain('label="&quot; onclick=&quot;x"');
});
