import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '#kernel/http-date.ts';
import { networkFailure } from '../rest/network-failures.ts';
import { refusal } from './errors.ts';

const nowMs = Temporal.Instant.from('2026-11-20T12:00:00Z').epochMilliseconds;

function refuse(status: number, more: Partial<Parameters<typeof refusal>[0]> = {}) {
  return refusal({
    operation: 'write',
    status,
    host: 'cal.example',
    conditions: [],
    text: '',
    retryAfter: undefined,
    requestId: undefined,
    challenge: undefined,
    nowMs,
    ...more,
  });
}

describe('refused requests', () => {
  it.each([
    [401, {}, 'auth', 'WRONG_PASSWORD'],
    [401, { challenge: 'Digest realm="x"' }, 'auth', 'AUTH_METHOD'],
    [401, { challenge: 'X-MobileMe-AuthToken realm="x", Basic realm="x"' }, 'auth', 'WRONG_PASSWORD'],
    [403, {}, 'rejected', 'READ_ONLY'],
    [403, { operation: 'read' as const }, 'rejected', 'FORBIDDEN'],
    [403, { conditions: ['d:quota-not-exceeded'] }, 'rejected', 'QUOTA'],
    [403, { conditions: ['c:max-resource-size'] }, 'rejected', 'TOO_LARGE'],
    [403, { conditions: ['c:no-uid-conflict'] }, 'precondition', 'UID_CONFLICT'],
    // Cyrus, where another calendar of the person has the UID (RFC 6638 3.2.4.1)
    [403, { conditions: ['c:unique-scheduling-object-resource'] }, 'precondition', 'UID_CONFLICT'],
    [403, { conditions: ['c:valid-calendar-data'] }, 'rejected', 'REFUSED'],
    [403, { conditions: ['c:max-date-time'] }, 'rejected', 'REFUSED'],
    [403, { conditions: ['c:allowed-organizer-scheduling-object-change'] }, 'rejected', 'REFUSED'],
    [403, { conditions: ['d:need-privileges'] }, 'rejected', 'READ_ONLY'],
    [
      400,
      { text: 'Deleted calendar object with uid already exists in this calendar collection.' },
      'precondition',
      'IDENTITY_BURNT',
    ],
    [400, {}, 'rejected', 'REFUSED'],
    [404, {}, 'not-found', 'NOT_FOUND'],
    [410, {}, 'not-found', 'NOT_FOUND'],
    [405, {}, 'rejected', 'READ_ONLY'],
    [408, {}, 'transient', 'TIMEOUT'],
    [409, {}, 'precondition', 'CONFLICT'],
    [409, { conditions: ['c:no-uid-conflict'] }, 'precondition', 'UID_CONFLICT'],
    [409, { conditions: ['c:unique-scheduling-object-resource'] }, 'precondition', 'UID_CONFLICT'],
    [409, { conditions: ['c:valid-calendar-data'] }, 'rejected', 'REFUSED'],
    [412, {}, 'precondition', 'CHANGED_MEANWHILE'],
    [413, {}, 'rejected', 'TOO_LARGE'],
    [423, {}, 'transient', 'LOCKED'],
    [429, {}, 'rate-limited', 'TOO_MANY_REQUESTS'],
    [500, {}, 'transient', 'SERVER_ERROR'],
    [501, {}, 'rejected', 'UNSUPPORTED'],
    [502, {}, 'transient', 'SERVER_ERROR'],
    [503, {}, 'rate-limited', 'OVERLOADED'],
    [507, {}, 'rejected', 'QUOTA'],
    [302, {}, 'transient', 'NOT_CALDAV'],
  ])('a response of %s with %j becomes the error %s %s', (status, more, kind, code) => {
    const error = refuse(status, more);
    expect(error).toMatchObject({ kind, code });
    // A sentence or two for the person, without the words of the protocol.
    expect(error.message).toMatch(/^[A-Z0-9c].{20,}\.$/);
    expect(error.message).not.toMatch(/undefined|null|PROPFIND|REPORT|propstat/);
  });

  it('a refusal keeps the time to wait from Retry-After', () => {
    expect(refuse(503, { retryAfter: '120' }).retryAfterMs).toBe(120_000);
    expect(refuse(429, { retryAfter: 'Fri, 20 Nov 2026 12:01:30 GMT' }).retryAfterMs).toBe(90_000);
    expect(refuse(429).retryAfterMs).toBeUndefined();
  });
});

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['7', 7_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['Sun, 31 Feb 2027 11:00:00 GMT', undefined],
    ['-1', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('a Retry-After of %j means a wait of %j ms', (value, ms) => {
    expect(retryAfterMs(value, nowMs)).toBe(ms);
  });
});

describe('network failures', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code });
  it.each([
    ['ENOTFOUND', 'UNREACHABLE'],
    ['ECONNREFUSED', 'UNREACHABLE'],
    ['ADDRESS_REFUSED', 'UNREACHABLE'],
    ['UND_ERR_CONNECT_TIMEOUT', 'UNREACHABLE'],
    ['EHOSTUNREACH', 'UNREACHABLE'],
    ['ECONNRESET', 'CONNECTION_LOST'],
    ['UND_ERR_SOCKET', 'CONNECTION_LOST'],
    ['UND_ERR_HEADERS_TIMEOUT', 'TIMEOUT'],
    ['UND_ERR_BODY_TIMEOUT', 'TIMEOUT'],
    ['CERT_HAS_EXPIRED', 'TLS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS'],
  ])('a network failure with %s becomes %s, however deep its code is nested', (code, expected) => {
    const wrapped = new TypeError('fetch failed', { cause: withCode(code) });
    const several = new AggregateError([withCode(code)], 'all failed');
    for (const cause of [withCode(code), wrapped, several]) {
      expect(networkFailure(cause, 'cal.example')).toMatchObject({ kind: 'transient', code: expected });
    }
  });

  it('a blocked address and an unreachable one give the same message', () => {
    const words = ['ENOTFOUND', 'ECONNREFUSED', 'ADDRESS_REFUSED', 'UND_ERR_CONNECT_TIMEOUT'].map(
      (code) => networkFailure(withCode(code), 'cal.example').message,
    );
    expect(new Set(words).size).toBe(1);
  });
});
