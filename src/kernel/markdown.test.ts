import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainText, readMarkdown } from './markdown.ts';

describe('Markdown', () => {
  test('Markdown has headings, paragraphs, lists and code', () => {
    const blocks = readMarkdown(
      '# Hours & days\n\nOne\ntwo **three** `four`.\n\n- a\n- b\n  c\n\n1. d\n\n```\n# x\n```\n',
    );
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, id: 'hours-days', text: [{ text: 'Hours & days' }] },
      {
        kind: 'paragraph',
        text: [
          { text: 'One two ' },
          { text: 'three', look: 'bold' },
          { text: ' ' },
          { text: 'four', look: 'code' },
          { text: '.' },
        ],
      },
      { kind: 'list', ordered: false, items: [[{ text: 'a' }], [{ text: 'b c' }]] },
      { kind: 'list', ordered: true, items: [[{ text: 'd' }]] },
      { kind: 'code', code: '# x' },
    ]);
  });

  test('Markdown links lead to the web, to email and to this site, and script links stay text', () => {
    const linksOf = (text: string) =>
      readMarkdown(text).flatMap((block) => ('text' in block ? block.text.flatMap(({ to }) => to ?? []) : []));
    for (const to of ['https://example.org/a', 'mailto:a@example.org', '/docs/sync', '#top']) {
      expect(linksOf(`[x](${to})`)).toEqual([to]);
    }
    for (const to of ['javascript:alert', 'data:text/html,x', '//evil.example', '/\\evil.example', 'vbscript:x']) {
      expect(linksOf(`[x](${to})`), to).toEqual([]);
    }
  });

  test('Markdown of any shape is read to its end and loses no word', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('word', '# ', '#### ', '- ', '1. ', '  ', '\n', '```', '**', '[', '](', ')')),
        (parts) => {
          const source = parts.join('');
          const text = readMarkdown(source)
            .map((block) =>
              block.kind === 'code'
                ? block.code
                : block.kind === 'list'
                  ? block.items.map(plainText).join()
                  : plainText(block.text),
            )
            .join(' ');
          const count = (one: string) => one.split('word').length;
          // text after ``` on its own line names a language, and text in an address is part of the address
          if (!source.includes('```') && !source.includes('](')) expect(count(text)).toBe(count(source));
        },
      ),
    );
  });
});
