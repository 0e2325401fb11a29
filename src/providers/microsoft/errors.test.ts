import { describe, expect, it } from 'vitest';
import { DuplicateTransaction, type GraphOperation, provesGone, refusal } from './errors.ts';

/** Meanings of Graph's answers that the emulator never gives. */

function refused(
  status: number,
  operation: GraphOperation,
  code = '',
  more: { headers?: Record<string, string>; error?: object } = {},
) {
  const json = code === '' ? null : { error: { code, message: 'Words of Microsoft.', ...more.error } };
  const {
    kind,
    code: word,
    message,
    retryAfterMs,
  } = refusal({
    status,
    operation,
    json,
    headers: new Headers(more.headers),
    requestId: 'r1',
    nowMs: 0,
  });
  expect(message).toMatch(/^.{15,}[.]$/s);
  return retryAfterMs === undefined ? [kind, word] : [kind, word, retryAfterMs];
}

describe('refusals of Graph', () => {
  it.each<[number, GraphOperation, string, string, string]>([
    [401, 'delta', 'InvalidAuthenticationToken', 'auth', 'ACCESS_REVOKED'],
    [403, 'create', 'ErrorAccessDenied', 'rejected', 'READ_ONLY'],
    [403, 'delta', 'ErrorAccessDenied', 'rejected', 'FORBIDDEN'],
    [403, 'calendars', 'ErrorAccessDenied', 'auth', 'SCOPE_MISSING'],
    [403, 'create', 'ErrorQuotaExceeded', 'rejected', 'QUOTA'],
    [507, 'create', '', 'rejected', 'QUOTA'],
    [413, 'update', '', 'rejected', 'TOO_LARGE'],
    [400, 'update', 'ErrorMessageSizeExceeded', 'rejected', 'TOO_LARGE'],
    [404, 'delta', 'ErrorItemNotFound', 'not-found', 'CALENDAR_GONE'],
    [404, 'baseline', 'ErrorItemNotFound', 'not-found', 'CALENDAR_GONE'],
    [404, 'event', 'ErrorItemNotFound', 'not-found', 'NOT_FOUND'],
    [404, 'event', '', 'transient', 'SERVER_ERROR'],
    [404, 'update', 'ResourceNotFound', 'transient', 'SERVER_ERROR'],
    [404, 'renew', 'ResourceNotFound', 'not-found', 'NOT_FOUND'],
    [404, 'delta', 'MailboxNotEnabledForRESTAPI', 'rejected', 'ON_PREMISES'],
    [404, 'delta', 'syncStateNotFound', 'cursor-expired', 'SYNC_TOKEN_EXPIRED'],
    [400, 'delta', 'ErrorInvalidUrlQuery', 'cursor-expired', 'SYNC_TOKEN_EXPIRED'],
    [400, 'baseline', 'ErrorInvalidUrlQuery', 'rejected', 'REFUSED'],
    [410, 'delta', '', 'cursor-expired', 'SYNC_TOKEN_EXPIRED'],
    [409, 'update', 'ErrorIrresolvableConflict', 'precondition', 'CHANGED_MEANWHILE'],
    [412, 'delete', 'ErrorIrresolvableConflict', 'precondition', 'CHANGED_MEANWHILE'],
    [400, 'event', 'ErrorInvalidIdMalformed', 'rejected', 'REFUSED'],
    [400, 'delete', 'ErrorInvalidIdMalformed', 'not-found', 'NOT_FOUND'],
    [400, 'find', 'ErrorInvalidIdMalformed', 'not-found', 'CALENDAR_GONE'],
    [408, 'delta', '', 'transient', 'TIMEOUT'],
    [500, 'create', 'ErrorInternalServerError', 'transient', 'SERVER_ERROR'],
    [503, 'create', '', 'transient', 'SERVER_ERROR'],
    [504, 'create', 'UnknownError', 'transient', 'SERVER_ERROR'],
    [302, 'create', '', 'rejected', 'REFUSED'],
  ])('a %i to %s with code "%s" becomes %s %s', (status, operation, code, kind, word) => {
    expect(refused(status, operation, code)).toEqual([kind, word]);
  });

  it('a refusal is also read from the code of an inner error', () => {
    const error = { innerError: { code: 'ErrorQuotaExceeded', 'request-id': 'x' } };
    expect(refused(400, 'create', 'BadRequest', { error })).toEqual(['rejected', 'QUOTA']);
  });

  it('a refusal gives the time to wait in seconds or from a date, also for an overloaded service', () => {
    const wait = (status: number, value: string) =>
      refused(status, 'create', '', { headers: { 'retry-after': value } });
    expect(wait(429, '300')).toEqual(['rate-limited', 'TOO_MANY_REQUESTS', 300_000]);
    expect(wait(429, 'Thu, 01 Jan 1970 00:00:07 GMT')).toEqual(['rate-limited', 'TOO_MANY_REQUESTS', 7_000]);
    expect(wait(429, 'later')).toEqual(['rate-limited', 'TOO_MANY_REQUESTS']);
    expect(wait(503, '2')).toEqual(['rate-limited', 'OVERLOADED', 2_000]);
  });

  it('a used transactionId names its event if Graph does', () => {
    const of = (error: object) =>
      refusal({
        status: 400,
        operation: 'create',
        json: { error: { code: 'ErrorDuplicateTransactionId', message: 'x', ...error } },
        headers: new Headers(),
        requestId: undefined,
        nowMs: 0,
      });
    const named = of({ '@event.existingEventId': 'AAk1' });
    expect(named).toBeInstanceOf(DuplicateTransaction);
    expect(named).toMatchObject({ kind: 'precondition', existingEventId: 'AAk1' });
    expect(of({})).toMatchObject({ kind: 'precondition', existingEventId: null });
  });

  it('an event is proven gone only by ErrorItemNotFound or a 410', () => {
    const body = (code: string) => ({ error: { code } });
    expect(provesGone(404, body('ErrorItemNotFound'))).toBe(true);
    expect(provesGone(410, null)).toBe(true);
    for (const code of ['ResourceNotFound', 'MailboxNotEnabledForRESTAPI', 'itemNotFound']) {
      expect(provesGone(404, body(code))).toBe(false);
    }
    expect(provesGone(404, '<html>')).toBe(false);
    expect(provesGone(403, body('ErrorItemNotFound'))).toBe(false);
  });
});
