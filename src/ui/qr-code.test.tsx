import { cleanup, render, screen } from '@testing-library/react';
import { encode } from 'uqr';
import { afterEach, expect, test } from 'vitest';
import { QrCode } from './qr-code.tsx';

afterEach(cleanup);

const secret = 'otpauth://totp/Holdfast:ada%40example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Holdfast';

test('the QR code is drawn module for module, with a white border of four modules', () => {
  render(<QrCode text={secret} label="QR code" />);
  const code = screen.getByRole('img', { name: 'QR code' });
  const { data, size } = encode(secret, { ecc: 'M', border: 0 });
  expect(code.getAttribute('viewBox')).toBe(`0 0 ${size + 8} ${size + 8}`);
  expect([code.getAttribute('width'), code.getAttribute('height')]).toEqual(['200', '200']);

  const drawn = data.map((row) => row.map(() => false));
  const path = code.querySelector('path')?.getAttribute('d') ?? '';
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let at = 0; at < Number(length); at += 1) drawn[Number(y) - 4]![Number(x) - 4 + at] = true;
  }
  expect(drawn).toEqual(data);
});
