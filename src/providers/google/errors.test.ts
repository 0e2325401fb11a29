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

describe('refusals of Google', () => {
  it.each([
    [403, 'rateLimitExceeded'],
    [403, 'userRateLimitExceeded'],
    [429, 'rateLimitExceeded'],
  ])('a %s %s is a rate limit', (status, reason) => {
    expect(refuse(status, error(status, reason))).toMatchObject({ kind: 'rate-limited', retryAfterMs: undefined });
    expect(refuse(status, error(status, reason), 'events.list', { 'retry-after': '7' })).toMatchObject({
      kind: 'rate-limited',
      retryAfterMs: 7_000,
    });
  });

  it('a daily limit waits for an hour', () => {
    expect(refuse(403, error(403, 'dailyLimitExceeded'))).toMatchObject({
      kind: 'rate-limited',
      retryAfterMs: 3_600_000,
    });
  });

  it('a 429 with an unreadable body is a rate limit', () => {
    expect(refuse(429, null).kind).toBe('rate-limited');
  });

  it('a forbiddenForNonOrganizer refuses an edited event, but makes the calendar of a mirror read-only', () => {
    const refused = error(403, 'forbiddenForNonOrganizer');
    expect(refuse(403, refused, 'events.edit')).toMatchObject({ kind: 'rejected', code: 'NOT_ORGANIZER' });
    expect(refuse(403, refused)).toMatchObject({ kind: 'rejected', code: 'READ_ONLY' });
    expect(refuse(403, error(403, 'requiredAccessLevel'), 'events.edit')).toMatchObject({ code: 'READ_ONLY' });
  });

  it('a quotaExceeded is a rejection of the calendar, not of the event or account', () => {
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
  ])('a missing scope asks for reconnecting and is named, in %s', (_, json) => {
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
  ] as const)('a %s %s at %s becomes %s %s', (status, reason, operation, kind, code) => {
    expect(refuse(status, error(status, reason), operation)).toMatchObject({ kind, code });
  });

  it.each([502, 503, 504])('a %s with an HTML page is transient', (status) => {
    expect(refuse(status, null).kind).toBe('transient');
  });

  it('an unreadable sync token is an expired cursor, and another bad parameter is refused', () => {
    const bad = (location: string) => error(400, 'invalid', { locationType: 'parameter', location });
    expect(refuse(400, bad('syncToken'), 'events.list').kind).toBe('cursor-expired');
    expect(refuse(400, bad('timeMin'), 'events.list')).toMatchObject({ kind: 'rejected', code: 'REFUSED' });
  });

  it('an error body of any shape never throws', () => {
    for (const json of [null, [], 'no', { error: 'x' }, { error: { errors: {} } }, { error: { errors: [null, 3] } }]) {
      expect(refuse(418, json).kind).toBe('rejected');
    }
  });
});
