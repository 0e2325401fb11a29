import { describe, expect, it } from 'vitest';
import { safeLink } from './safe-link.ts';

describe('safeLink', () => {
  it('a web link opens and names its host', () => {
    expect(safeLink('https://meet.example.com/abc?x=1')).toEqual({
      href: 'https://meet.example.com/abc?x=1',
      host: 'meet.example.com',
    });
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'not a link', ''])(
    'the link "%s" does not open',
    (text) => {
      expect(safeLink(text)).toBeUndefined();
    },
  );
});
