import { expect, it } from 'vitest';
import { writeEmbed } from './write-embed.ts';

const url = 'https://cal.example.org/anna/intro';

it('stands in the page with its script', () => {
  expect(writeEmbed(url, 'inline', 'Book')).toBe(
    '<script async src="https://cal.example.org/embed.js"></script>\n<holdfast-booking link="anna/intro"></holdfast-booking>',
  );
});

it('writes what somebody types as text, in an element and in an attribute', () => {
  expect(writeEmbed(url, 'popup', '<b> & "co"')).toContain('>&lt;b&gt; &amp; &quot;co&quot;</button>');
  expect(writeEmbed(url, 'float', '" onclick="x')).toContain('label="&quot; onclick=&quot;x"');
});
