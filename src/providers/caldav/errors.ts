import { ProviderError } from '#kernel/errors.ts';
import { retryAfterMs } from '#kernel/http-date.ts';

/** Every way a CalDAV server says no, as a ProviderError with words for the person who owns the account. */

export type DavOperation = 'discover' | 'read' | 'write' | 'delete';

export interface DavRefusal {
  operation: DavOperation;
  status: number;
  host: string;
  /** Precondition names of the body, e.g. `c:no-uid-conflict`. */
  conditions: string[];
  /** Start of the body, for refusals that only prose explains. */
  text: string;
  retryAfter: string | undefined;
  requestId: string | undefined;
  /** Value of WWW-Authenticate, to tell a wrong password from a way of signing in we do not speak. */
  challenge: string | undefined;
  nowMs: number;
}

/** Conditions on the UID: within a calendar (RFC 4791 5.3.2.1), or within all calendars of a person (RFC 6638 3.2.4.1). */
export const uidConditions = ['c:no-uid-conflict', 'c:unique-scheduling-object-resource'];

/** Conditions on one event, which say nothing about the calendar. Source: RFC 4791 5.3.2.1, RFC 6638 3.2.4. */
const eventConditions = [
  'c:valid-calendar-data',
  'c:valid-calendar-object-resource',
  'c:supported-calendar-data',
  'c:min-date-time',
  'c:max-date-time',
  'c:same-organizer-in-all-components',
  'c:allowed-organizer-scheduling-object-change',
  'c:allowed-attendee-scheduling-object-change',
];

/** Translates a status that is not a success. Source: RFC 4918 11, RFC 4791 5.3.2.1, RFC 6578 3.2. */
export function refusal(answer: DavRefusal): ProviderError {
  const { status, host, operation } = answer;
  const options = { requestId: answer.requestId };
  const has = (name: string) => answer.conditions.includes(name);
  if (status === 403 || status === 409) {
    if (uidConditions.some(has)) {
      return new ProviderError(
        'precondition',
        'UID_CONFLICT',
        'This account already has the event, in another calendar or under another name.',
        options,
      );
    }
    if (eventConditions.some(has)) {
      return new ProviderError('rejected', 'REFUSED', `${host} didn't accept this event.`, options);
    }
  }
  switch (status) {
    case 401:
    case 407:
      if (answer.challenge !== undefined && !/\bbasic\b/i.test(answer.challenge)) {
        return new ProviderError(
          'auth',
          'AUTH_METHOD',
          `${host} doesn't accept a username and password (Basic sign-in). It asks for: ${answer.challenge.slice(0, 80)}.`,
          options,
        );
      }
      return new ProviderError(
        'auth',
        'WRONG_PASSWORD',
        `${host} didn't accept the username or password. Check both. Many providers need an app password here.`,
        options,
      );
    case 404:
    case 410:
      return new ProviderError(
        'not-found',
        'NOT_FOUND',
        `${host} couldn't find anything at this address. It may have been moved or deleted.`,
        options,
      );
    case 412:
      return new ProviderError(
        'precondition',
        'CHANGED_MEANWHILE',
        'The event was changed in another app first. Nothing was overwritten.',
        options,
      );
    case 409:
      return new ProviderError(
        'precondition',
        'CONFLICT',
        `${host} says this conflicts with something in the calendar. Nothing was overwritten.`,
        options,
      );
    case 413:
      return new ProviderError('rejected', 'TOO_LARGE', `This event is too large for ${host}.`, options);
    case 507:
      return new ProviderError(
        'rejected',
        'QUOTA',
        `Your calendar or account at ${host} is full. Free up space there.`,
        options,
      );
    case 423:
      return new ProviderError(
        'transient',
        'LOCKED',
        `${host} has locked this event for a moment. We'll try again.`,
        options,
      );
    case 429:
    case 503:
      return new ProviderError(
        'rate-limited',
        status === 429 ? 'TOO_MANY_REQUESTS' : 'OVERLOADED',
        `${host} is limiting requests right now. We'll continue shortly.`,
        { ...options, retryAfterMs: retryAfterMs(answer.retryAfter, answer.nowMs) },
      );
  }
  if (has('d:quota-not-exceeded') || has('d:sufficient-disk-space')) {
    return new ProviderError(
      'rejected',
      'QUOTA',
      `Your calendar or account at ${host} is full. Free up space there.`,
      options,
    );
  }
  if (has('c:max-resource-size') || has('c:max-attendees-per-instance') || has('c:max-instances')) {
    return new ProviderError('rejected', 'TOO_LARGE', `This event is too large for ${host}.`, options);
  }
  // Nextcloud keeps deleted events in a trash bin and refuses their identity until it is emptied.
  if (operation !== 'read' && /already exists/i.test(answer.text) && (status === 400 || status === 403)) {
    return new ProviderError(
      'precondition',
      'IDENTITY_BURNT',
      "The server still has a deleted copy of this event in its trash. We'll create a new one.",
      options,
    );
  }
  if (status === 403 || status === 405) {
    return operation === 'write' || operation === 'delete'
      ? new ProviderError('rejected', 'READ_ONLY', 'This calendar is read-only for the connected account.', options)
      : new ProviderError(
          'rejected',
          'FORBIDDEN',
          `${host} doesn't allow this account to read this calendar. Check its sharing settings.`,
          options,
        );
  }
  if (status >= 500) {
    return status === 501
      ? new ProviderError('rejected', 'UNSUPPORTED', `${host} doesn't support this.`, options)
      : new ProviderError(
          'transient',
          'SERVER_ERROR',
          `${host} is having problems (error ${status}). Nothing is lost. We'll try again.`,
          options,
        );
  }
  if (status === 408 || status === 425) {
    return new ProviderError('transient', 'TIMEOUT', `${host} took too long to respond. We'll try again.`, options);
  }
  if (status >= 200 && status < 400) return notCaldav(host);
  return new ProviderError('rejected', 'REFUSED', `${host} rejected the request (error ${status}).`, options);
}

export function loginPage(): ProviderError {
  return new ProviderError(
    'transient',
    'LOGIN_PAGE',
    'This address shows a web page instead of a calendar. Enter the CalDAV address of your provider. On a hotel or ' +
      'company network, sign in to the network first.',
  );
}

export function notCaldav(host?: string): ProviderError {
  return new ProviderError(
    'transient',
    'NOT_CALDAV',
    `${host ?? 'The server'} responded, but doesn't offer calendars (CalDAV) at this address. Check the address.`,
  );
}

export function redirectRefused(
  from: string,
  to: string,
  reason: 'insecure' | 'other-site' | 'too-many',
): ProviderError {
  if (reason === 'too-many') {
    return new ProviderError('transient', 'TOO_MANY_REDIRECTS', `${from} keeps redirecting. Check the address.`);
  }
  return reason === 'insecure'
    ? new ProviderError(
        'rejected',
        'INSECURE_REDIRECT',
        `${from} redirects to an address without encryption. Your password was not sent there.`,
      )
    : new ProviderError(
        'rejected',
        'OTHER_SITE',
        `${from} redirects to ${to}. Your password was not sent there. If you trust that server, enter ${to} as the address.`,
      );
}

export function calendarGone(requestId?: string): ProviderError {
  return new ProviderError(
    'not-found',
    'CALENDAR_GONE',
    'The calendar was deleted, renamed or is no longer shared with this account.',
    { requestId },
  );
}

export function cursorExpired(): ProviderError {
  return new ProviderError(
    'cursor-expired',
    'SYNC_TOKEN_EXPIRED',
    "The server no longer knows our last position. We're reading all events again.",
  );
}
