import { ProviderError } from '#kernel/errors.ts';
import { retryAfterMs } from '#kernel/http-date.ts';
import { trimEndOf } from '#kernel/text/trim-text.ts';
import type { RestRefusal } from '../rest/client.ts';

/** Every way Google Calendar says no, as a ProviderError with words for the person who owns the account. */

/** Operations of the Calendar API, by its own names. */
export type GoogleOperation =
  | 'calendarList.list'
  | 'events.list'
  | 'events.get'
  | 'events.instances'
  | 'events.insert'
  | 'events.patch'
  | 'events.delete'
  /** Changes and deletions of a person's own event, as opposed to a block of ours. */
  | 'events.edit'
  | 'events.watch'
  | 'channels.stop'
  | 'freebusy.query';

const writes: readonly GoogleOperation[] = ['events.insert', 'events.patch', 'events.delete', 'events.edit'];

/**
 * Decides on the reasons in the body, the status coming second: 403 alone can be a quota, a lost permission or a lost
 * scope. Source: Google Calendar API, "Handle API errors" (2026-04-23), "Manage quotas", "Push notifications".
 */
export function refusal(answer: RestRefusal): ProviderError {
  const { status, requestId } = answer;
  const operation = answer.operation as GoogleOperation;
  const { reasons, message } = wordsOf(answer.json);
  const has = (...names: string[]) => names.some((name) => reasons.includes(name));
  const options = { requestId };
  const isWrite = writes.includes(operation);

  const isDaily = has('dailyLimitExceeded');
  if (isDaily || status === 429 || has('rateLimitExceeded', 'userRateLimitExceeded', 'RATE_LIMIT_EXCEEDED')) {
    const askedMs = retryAfterMs(answer.headers.get('retry-after') ?? undefined, answer.nowMs);
    return new ProviderError(
      'rate-limited',
      'TOO_MANY_REQUESTS',
      "Google is limiting requests right now. We'll continue shortly.",
      // Google promises no Retry-After; the limit of a day is not over in a minute.
      { ...options, retryAfterMs: askedMs ?? (isDaily ? 3_600_000 : undefined) },
    );
  }
  if (has('quotaExceeded')) {
    return new ProviderError(
      'rejected',
      'QUOTA',
      "This calendar has reached Google's usage limit. We'll try again in an hour. Your other calendars keep syncing.",
      options,
    );
  }
  if (has('insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'insufficientScopes')) {
    return new ProviderError('auth', 'SCOPE_MISSING', scopeMissing(operation, answer.headers), options);
  }
  if (has('accessNotConfigured', 'SERVICE_DISABLED')) {
    return new ProviderError(
      'rejected',
      'API_DISABLED',
      'The Google Calendar API is not turned on for this server. Ask your administrator to turn it on in the Google Cloud console.',
      options,
    );
  }
  if (has('pushNotSupportedForRequestedResource')) {
    return new ProviderError(
      'rejected',
      'PUSH_UNSUPPORTED',
      "Google doesn't send updates for this calendar. We check it regularly instead.",
      options,
    );
  }
  if (reasons.some((reason) => reason.startsWith('push.webhookUrl'))) {
    return new ProviderError(
      'rejected',
      'PUSH_URL_REFUSED',
      "Google doesn't accept this server's address for updates. We check your calendars regularly instead.",
      options,
    );
  }
  if (has('channelIdNotUnique')) {
    return new ProviderError(
      'precondition',
      'PUSH_DUPLICATE',
      'A notification channel with this ID already exists.',
      options,
    );
  }
  switch (status) {
    case 401:
      return new ProviderError(
        'auth',
        'ACCESS_REVOKED',
        'Google no longer gives us access to this account. Reconnect it. Your data is safe.',
        options,
      );
    case 403:
      if (operation === 'events.edit' && has('forbiddenForNonOrganizer')) {
        return new ProviderError('rejected', 'NOT_ORGANIZER', 'Only the organizer can change this event.', options);
      }
      return isWrite
        ? new ProviderError('rejected', 'READ_ONLY', 'This calendar is read-only for the connected account.', options)
        : new ProviderError(
            'rejected',
            'FORBIDDEN',
            "Google doesn't allow this account to read this calendar. Check its sharing settings.",
            options,
          );
    case 404:
      return operation === 'events.list' || operation === 'events.insert' || operation === 'events.watch'
        ? calendarGone(requestId)
        : eventGone(requestId);
    case 410:
      return operation === 'events.list' ? cursorExpired() : eventGone(requestId);
    case 409:
      return has('duplicate')
        ? new ProviderError('precondition', 'ALREADY_THERE', 'This event already exists.', options)
        : new ProviderError(
            'precondition',
            'CONFLICT',
            'This conflicts with another change at Google. Nothing was overwritten.',
            options,
          );
    case 412:
      return new ProviderError(
        'precondition',
        'CHANGED_MEANWHILE',
        'The event was changed in another app first. Nothing was overwritten.',
        options,
      );
    case 408:
      return new ProviderError('transient', 'TIMEOUT', "Google took too long to respond. We'll try again.", options);
    case 413:
      return new ProviderError('rejected', 'TOO_LARGE', 'This event is too large for Google Calendar.', options);
  }
  if (status >= 500) {
    return new ProviderError(
      'transient',
      'SERVER_ERROR',
      `Google is having problems (error ${status}). Nothing is lost. We'll try again.`,
      options,
    );
  }
  // A sync token that Google cannot even read is as good as an expired one.
  if (status === 400 && operation === 'events.list' && locationOf(answer.json) === 'syncToken') return cursorExpired();
  const said = message === '' ? `error ${status}` : trimEndOf(message, '. \t\r\n');
  return new ProviderError('rejected', 'REFUSED', `Google rejected the request: ${said}.`, options);
}

export function calendarGone(requestId?: string): ProviderError {
  return new ProviderError(
    'not-found',
    'CALENDAR_GONE',
    'The calendar was deleted or is no longer shared with this account.',
    { requestId },
  );
}

export function eventGone(requestId?: string): ProviderError {
  return new ProviderError('not-found', 'NOT_FOUND', 'The event no longer exists.', { requestId });
}

export function cursorExpired(): ProviderError {
  return new ProviderError(
    'cursor-expired',
    'SYNC_TOKEN_EXPIRED',
    "Google no longer knows our last position. We're reading all events again.",
  );
}

/** Which box the person left unticked: told by the answer's challenge, else by what was asked for. */
function scopeMissing(operation: GoogleOperation, headers: Headers): string {
  const named = /\bscope="([^"]{1,400})"/.exec(headers.get('www-authenticate') ?? '')?.[1];
  const scope = named ?? (operation === 'calendarList.list' ? 'calendar.calendarlist.readonly' : 'calendar.events');
  const what = scope.includes('calendarlist')
    ? 'see the list of your calendars'
    : 'view and edit events on your calendars';
  const short = scope.replaceAll('https://www.googleapis.com/auth/', '');
  return `Holdfast needs permission to ${what} at Google (${short}). Reconnect the account and check that box. Your data is safe.`;
}

interface Words {
  reasons: string[];
  message: string;
}

/** Both forms of an error body: `errors[].reason`, and the newer `status` with `details[].reason`. */
function wordsOf(json: unknown): Words {
  const error = field(json, 'error');
  const reasons = [...list(field(error, 'errors')), ...list(field(error, 'details'))].map((one) =>
    field(one, 'reason'),
  );
  reasons.push(field(error, 'status'));
  const message = field(error, 'message');
  return {
    reasons: reasons.filter((reason) => typeof reason === 'string'),
    message: typeof message === 'string' ? message.slice(0, 200) : '',
  };
}

function locationOf(json: unknown): unknown {
  return field(list(field(field(json, 'error'), 'errors'))[0], 'location');
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
