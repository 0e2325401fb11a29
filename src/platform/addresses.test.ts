import { expect, test } from 'vitest';
import { allowedHosts, isPublicAddress } from './addresses.ts';

test('Vexa#1231, fluid-calendar#212: private, reserved, and tunneled addresses in any spelling are not public', () => {
  for (const inner of [
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    '2001:10::1',
    '2001:20::1',
    '::ffff:0:127.0.0.1',
    '5f00::1',
    'localhost',
    '',
    'x',
  ]) {
    expect(isPublicAddress(inner), inner).toBe(false);
  }
  for (const outer of [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '::ffff:8.8.8.8',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ]) {
    expect(isPublicAddress(outer), outer).toBe(true);
  }
});

test('an allowed host is allowed at its own port only, and not at all without one', () => {
  const allowed = allowedHosts(['nas.local:5232', 'Home.Example:2080', '[fd00::1]:8443', '192.168.1.5', 'bare.local']);
  expect(allowed.has('nas.local', 5232)).toBe(true);
  expect(allowed.has('NAS.local.', 5232)).toBe(true);
  expect(allowed.has('nas.local', 80)).toBe(false);
  expect(allowed.has('home.example', 2080)).toBe(true);
  expect(allowed.has('[fd00::1]', 8443)).toBe(true);
  expect(allowed.has('fd00::1', 80)).toBe(false);
  expect(allowed.has('192.168.1.5', 80)).toBe(false);
  expect(allowed.has('bare.local', 443)).toBe(false);
  expect(allowed.has('evil.home.example', 2080)).toBe(false);
});
