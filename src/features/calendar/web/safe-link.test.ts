import { describe, expect, it } from 'vitest';
import { safeLink } from './safe-link.ts';

describe('safeLink', () => {
  it('opens web addresses and names their host', () => {
    expect(safeLink('https://meet.example.com/abc?x=1')).toEqual({
      href: 'https://meet.example.com/abc?x=1',
      host: 'meet.example.com',
    });
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'not a link', ''])(
    'does not open %s',
    (text) => {
      expect(safeLink(text)).toBeUndefined();
    },
  );
});
