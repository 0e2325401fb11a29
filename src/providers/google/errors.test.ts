import { describe, expect, it } from 'vitest';
import { type GoogleOperation, refusal } from './errors.ts';

const error = (status: number, reason: string, more: Record<string, string> = {}) => ({
  error: { errors: [{ domain: 'global', reason, message: 'Said so', ...more }], code: status, message: 'Said so' },
});

function refuse(status: number, json: unknown, operation: GoogleOperation = 'events.patch', headers = {}) {
  const refused = refusal({
    operation,
    status,
    json,
    headers: new Headers(headers),
    requestId: undefined,
    nowMs: Temporal.Instant.from('2026-11-20T12:00:00Z').epochMilliseconds,
  });
  expect(refused.message).toMatch(/^.{15,}[.]$/s);
  return refused;
}

describe('a refusal of Google', () => {
  it.each([
    [403, 'rateLimitExceeded'],
    [403, 'userRateLimitExceeded'],
    [429, 'rateLimitExceeded'],
  ])('%s %s means slower', (status, reason) => {
    expect(refuse(status, error(status, reason))).toMatchObject({ kind: 'rate-limited', retryAfterMs: undefined });
    expect(refuse(status, error(status, reason), 'events.list', { 'retry-after': '7' })).toMatchObject({
      kind: 'rate-limited',
      retryAfterMs: 7_000,
    });
  });

  it('a limit for the whole day means much later', () => {
    expect(refuse(403, error(403, 'dailyLimitExceeded'))).toMatchObject({
      kind: 'rate-limited',
      retryAfterMs: 3_600_000,
    });
  });

  it('429 without a body that can be read means slower too', () => {
    expect(refuse(429, null).kind).toBe('rate-limited');
  });

  it("what only the organiser may change blames a person's event, and the calendar of a block", () => {
    const refused = error(403, 'forbiddenForNonOrganizer');
    expect(refuse(403, refused, 'events.edit')).toMatchObject({ kind: 'rejected', code: 'NOT_ORGANIZER' });
    expect(refuse(403, refused)).toMatchObject({ kind: 'rejected', code: 'READ_ONLY' });
    expect(refuse(403, error(403, 'requiredAccessLevel'), 'events.edit')).toMatchObject({ code: 'READ_ONLY' });
  });

  it('quotaExceeded parks the calendar and blames neither event nor account', () => {
    expect(refuse(403, error(403, 'quotaExceeded'))).toMatchObject({ kind: 'rejected', code: 'QUOTA' });
  });

  it.each([
    ['the old form', error(403, 'insufficientPermissions')],
    [
      'the new form',
      {
        error: {
          code: 403,
          message: 'Request had insufficient authentication scopes.',
          status: 'PERMISSION_DENIED',
          details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
        },
      },
    ],
  ])('a missing scope asks to connect again and names it, in %s', (_, json) => {
    expect(refuse(403, json)).toMatchObject({ kind: 'auth', code: 'SCOPE_MISSING' });
    expect(refuse(403, json).message).toContain('calendar.events');
    expect(refuse(403, json, 'calendarList.list').message).toContain('calendar.calendarlist.readonly');
    const challenge =
      'Bearer error="insufficient_scope", scope="https://www.googleapis.com/auth/calendar.events.owned"';
    expect(refuse(403, json, 'events.list', { 'www-authenticate': challenge }).message).toContain(
      '(calendar.events.owned)',
    );
  });

  it.each([
    [403, 'forbiddenForNonOrganizer', 'events.patch', 'rejected', 'READ_ONLY'],
    [403, 'requiredAccessLevel', 'events.insert', 'rejected', 'READ_ONLY'],
    [403, 'forbidden', 'events.delete', 'rejected', 'READ_ONLY'],
    [403, 'forbidden', 'events.list', 'rejected', 'FORBIDDEN'],
    [403, 'accessNotConfigured', 'events.list', 'rejected', 'API_DISABLED'],
    [401, 'authError', 'events.list', 'auth', 'ACCESS_REVOKED'],
    [404, 'notFound', 'events.list', 'not-found', 'CALENDAR_GONE'],
    [404, 'notFound', 'events.insert', 'not-found', 'CALENDAR_GONE'],
    [404, 'notFound', 'events.watch', 'not-found', 'CALENDAR_GONE'],
    [404, 'notFound', 'events.delete', 'not-found', 'NOT_FOUND'],
    [404, 'notFound', 'channels.stop', 'not-found', 'NOT_FOUND'],
    [410, 'deleted', 'events.delete', 'not-found', 'NOT_FOUND'],
    [410, 'fullSyncRequired', 'events.list', 'cursor-expired', 'SYNC_TOKEN_EXPIRED'],
    [410, 'updatedMinTooLongAgo', 'events.list', 'cursor-expired', 'SYNC_TOKEN_EXPIRED'],
    [409, 'duplicate', 'events.insert', 'precondition', 'ALREADY_THERE'],
    [409, 'conflict', 'events.patch', 'precondition', 'CONFLICT'],
    [412, 'conditionNotMet', 'events.patch', 'precondition', 'CHANGED_MEANWHILE'],
    [400, 'timeRangeEmpty', 'events.insert', 'rejected', 'REFUSED'],
    [400, 'pushNotSupportedForRequestedResource', 'events.watch', 'rejected', 'PUSH_UNSUPPORTED'],
    [400, 'channelIdNotUnique', 'events.watch', 'precondition', 'PUSH_DUPLICATE'],
    [401, 'push.webhookUrlUnauthorized', 'events.watch', 'rejected', 'PUSH_URL_REFUSED'],
    [400, 'push.webhookUrlNotHttps', 'events.watch', 'rejected', 'PUSH_URL_REFUSED'],
    [500, 'backendError', 'events.list', 'transient', 'SERVER_ERROR'],
    [503, 'backendError', 'events.insert', 'transient', 'SERVER_ERROR'],
  ] as const)('%s %s at %s is %s %s', (status, reason, operation, kind, code) => {
    expect(refuse(status, error(status, reason), operation)).toMatchObject({ kind, code });
  });

  it.each([502, 503, 504])('%s with a web page is transient', (status) => {
    expect(refuse(status, null).kind).toBe('transient');
  });

  it('a sync token that cannot be read is as good as expired; another bad parameter is a bug of ours', () => {
    const bad = (location: string) => error(400, 'invalid', { locationType: 'parameter', location });
    expect(refuse(400, bad('syncToken'), 'events.list').kind).toBe('cursor-expired');
    expect(refuse(400, bad('timeMin'), 'events.list')).toMatchObject({ kind: 'rejected', code: 'REFUSED' });
  });

  it('with a body of any shape never throws', () => {
    for (const json of [null, [], 'no', { error: 'x' }, { error: { errors: {} } }, { error: { errors: [null, 3] } }]) {
      expect(refuse(418, json).kind).toBe('rejected');
    }
  });
});
