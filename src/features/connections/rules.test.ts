import { expect, test } from 'vitest';
import { ProviderError } from '#kernel/errors.ts';
import { refusalOf } from './discovery.ts';
import { accountLabel, calendarBadge, calendarColor, connectFailure, isSameList } from './rules.ts';

const calendar = (ref: string, writable = true) => ({ ref, writable });

test('calendar lists are equal for the same calendars with the same rights in any order', () => {
  const list = [calendar('/a/'), calendar('/b/', false)];
  expect(isSameList(list, [calendar('/b/', false), calendar('/a/')])).toBe(true);
  expect(isSameList(list, [calendar('/a/')])).toBe(false);
  expect(isSameList(list, [...list, calendar('/c/')])).toBe(false);
  expect(isSameList(list, [calendar('/a/'), calendar('/b/')])).toBe(false);
  expect(isSameList([], [])).toBe(true);
});

test("a calendar color is the provider's without alpha, or the next of the palette", () => {
  expect(calendarColor('#FF2968FF', 0)).toBe('#ff2968');
  expect(calendarColor('#0a0b0c', 3)).toBe('#0a0b0c');
  expect(calendarColor('red', 1)).toBe(calendarColor(undefined, 9));
  expect(calendarColor(undefined, 0)).not.toBe(calendarColor(undefined, 1));
});

test('a calendar badge has two letters of any script, or a question mark without a name', () => {
  expect(calendarBadge('Work')).toBe('WO');
  expect(calendarBadge('My own calendar')).toBe('MO');
  expect(calendarBadge('\u{1F600}\u{1F601} x')).toBe('\u{1F600}X');
  expect(calendarBadge('  ')).toBe('?');
});

test('an account is labeled by its address, or by its user name and server', () => {
  const account = { baseUrl: 'https://dav.example.org:8443/dav/', addresses: [] };
  expect(accountLabel('ada@example.org', account)).toBe('ada@example.org');
  expect(accountLabel('ada', { ...account, addresses: ['ada@work.example'] })).toBe('ada@work.example');
  expect(accountLabel('ada', account)).toBe('ada at dav.example.org:8443');
});

test.each(['TIMEOUT', 'ABORTED'])('a server that does not answer in time is named as the reason: %s', (code) => {
  const error = new ProviderError('transient', code, 'Stopped before the server responded.');
  expect(connectFailure(error, 'user')).toEqual({
    kind: 'invalid',
    code: 'UNREACHABLE',
    message: 'The server took too long to respond. Check the address, or try again later.',
  });
});

test('only an administrator hears which setting allows a private address', () => {
  const error = new ProviderError('transient', 'UNREACHABLE', 'No server responds.');
  expect(connectFailure(error, 'user').message).toBe('No server responds.');
  expect(connectFailure(error, 'admin').message).toBe(
    'No server responds. As an administrator, you can allow a private address with CALDAV_ALLOW_PRIVATE.',
  );
});

test('a server that sends its answer byte by byte until the deadline of the attempt is refused as too slow', () => {
  const { reason } = AbortSignal.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  expect(connectFailure(refusalOf(reason), 'user')).toMatchObject({ kind: 'invalid', code: 'UNREACHABLE' });
  const fault = new TypeError('a fault of ours');
  expect(() => refusalOf(fault)).toThrow(fault);
});
