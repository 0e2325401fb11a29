import { expect, test } from 'vitest';
import { isLoopbackHost } from './loopback-host.ts';

const hostOf = (url: string) => new URL(url).hostname;

test.each(['http://localhost', 'http://LOCALHOST:3000', 'http://a.localhost', 'http://127.8.9.1', 'http://[::1]:1'])(
  'the host of %s is loopback',
  (url) => {
    expect(isLoopbackHost(hostOf(url))).toBe(true);
  },
);

test.each([
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://notlocalhost',
  'http://10.0.0.1',
  'http://[::2]',
  'http://0.0.0.0',
])('the host of %s is not loopback', (url) => {
  expect(isLoopbackHost(hostOf(url))).toBe(false);
});
