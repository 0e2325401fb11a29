import { ProviderError } from '#kernel/errors.ts';
import { retryAfterMs } from '#kernel/http-date.ts';
import { trimEndOf } from '#kernel/text/trim-text.ts';
import type { RestRefusal } from '../rest/client.ts';

/** Every way Microsoft Graph says no, as a ProviderError with words for the person who owns the account. */

export type GraphOperation =
  | 'calendars'
  | 'calendar'
  | 'baseline'
  | 'delta'
  | 'instances'
  | 'event'
  | 'batch'
  | 'find'
  | 'create'
  | 'update'
  | 'delete'
  /** Changes and deletions of a person's own event, as opposed to a block of ours. */
  | 'edit'
  /** A person's answer to an invitation. */
  | 'answer'
  | 'schedule'
  | 'subscriptions'
  | 'subscribe'
  | 'renew'
  | 'unsubscribe';

const writes: readonly string[] = ['create', 'update', 'delete', 'edit', 'answer'] satisfies GraphOperation[];
/** Operations on a calendar's path: a 404 means that the calendar is gone. */
const ofCalendar: readonly string[] = [
  'calendar',
  'baseline',
  'delta',
  'create',
  'find',
  'subscribe',
] satisfies GraphOperation[];
const resets = ['syncStateNotFound', 'syncStateInvalid', 'resyncRequired', 'SyncStateNotFound', 'SyncStateInvalid'];
const onPremises = ['MailboxNotEnabledForRESTAPI', 'MailboxNotSupportedForRESTAPI', 'ErrorMailboxNotEnabledForRESTAPI'];

/**
 * Decides on the code in the body before the status: the same status stands for many things.
 *
 * *Source*: "Microsoft Graph error responses", throttling, delta-query-overview ("Synchronization reset"), Outlook error
 * codes as seen by others.
 */
export function refusal(answer: RestRefusal): ProviderError {
  const { status, requestId, operation } = answer;
  const { codes, message } = wordsOf(answer.json);
  const has = (...names: string[]) => names.some((name) => codes.includes(name));
  const options = { requestId };
  // A token that Graph cannot even read is as good as one that it has forgotten.
  if (has(...resets) || (operation === 'delta' && (status === 410 || status === 400))) return cursorExpired();
  if (has(...onPremises)) {
    return new ProviderError(
      'rejected',
      'ON_PREMISES',
      "This mailbox is on your organization's own Exchange server, outside Microsoft 365. Connect it as " +
        '"Exchange (through DavMail)" instead.',
      options,
    );
  }
  if (has('ErrorDuplicateTransactionId')) return new DuplicateTransaction(existingEventOf(answer.json), requestId);
  if (has('ErrorQuotaExceeded') || status === 507) {
    return new ProviderError('rejected', 'QUOTA', 'This mailbox is full. Free up space in Outlook.', options);
  }
  if (has('ErrorMessageSizeExceeded') || status === 413) {
    return new ProviderError('rejected', 'TOO_LARGE', 'This event is too large for Outlook.', options);
  }
  if (has('ErrorOccurrenceCrossingBoundary')) return crossesNeighbour(requestId);
  const retryAfter = answer.headers.get('retry-after') ?? undefined;
  if (status === 429 || (status === 503 && retryAfter !== undefined)) {
    return new ProviderError(
      'rate-limited',
      status === 429 ? 'TOO_MANY_REQUESTS' : 'OVERLOADED',
      "Microsoft is limiting requests right now. We'll continue shortly.",
      { ...options, retryAfterMs: retryAfterMs(retryAfter, answer.nowMs) },
    );
  }
  switch (status) {
    case 401:
      return new ProviderError(
        'auth',
        'ACCESS_REVOKED',
        'Microsoft no longer gives us access to this account. Reconnect it. Your data is safe.',
        options,
      );
    case 403:
      return forbidden(operation, options);
    case 404:
    case 410:
      if (ofCalendar.includes(operation)) return calendarGone(requestId);
      if (provesGone(status, answer.json) || operation === 'renew' || operation === 'unsubscribe') {
        return eventGone(requestId);
      }
      // A front end that lost its way says 404 too; what is ours is not given up for that.
      return troubled(status, options);
    case 409:
      return operation === 'subscribe'
        ? new ProviderError(
            'precondition',
            'PUSH_DUPLICATE',
            'This calendar already has a notification channel.',
            options,
          )
        : changedMeanwhile(requestId);
    case 412:
      return changedMeanwhile(requestId);
    case 408:
    case 425:
      return new ProviderError('transient', 'TIMEOUT', "Microsoft took too long to respond. We'll try again.", options);
  }
  if (status >= 500) return troubled(status, options);
  if (operation === 'subscribe' && has('ValidationError', 'InvalidRequest', 'BadRequest')) {
    return new ProviderError(
      'rejected',
      'PUSH_URL_REFUSED',
      "Microsoft can't reach this server's address for updates, or doesn't accept it. We check your calendars regularly " +
        'instead.',
      options,
    );
  }
  // An id that this mailbox never gave: of another account, or shortened on its way. To a read it proves nothing.
  if (has('ErrorInvalidIdMalformed', 'ErrorInvalidIdEmpty', 'ErrorInvalidMailboxItemId')) {
    if (ofCalendar.includes(operation)) return calendarGone(requestId);
    if (writes.includes(operation)) return eventGone(requestId);
  }
  const said = message === '' ? `error ${status}` : trimEndOf(message, '. \t\r\n');
  return new ProviderError('rejected', 'REFUSED', `Microsoft rejected the request: ${said}.`, options);
}

/** A create that was carried out before, whatever became of the event since. */
export class DuplicateTransaction extends ProviderError {
  /** The event that bears the transactionId, where the refusal names it. */
  readonly existingEventId: string | null;

  constructor(existingEventId: string | null, requestId: string | undefined) {
    super('precondition', 'ALREADY_THERE', 'This event already exists.', { requestId });
    this.existingEventId = existingEventId;
  }
}

function existingEventOf(json: unknown): string | null {
  const id = field(field(json, 'error'), '@event.existingEventId');
  return typeof id === 'string' && id !== '' ? id : null;
}

function troubled(status: number, options: { requestId: string | undefined }): ProviderError {
  return new ProviderError(
    'transient',
    'SERVER_ERROR',
    `Microsoft is having problems (error ${status}). Nothing is lost. We'll try again.`,
    options,
  );
}

function forbidden(operation: string, options: { requestId: string | undefined }): ProviderError {
  if (writes.includes(operation)) {
    return new ProviderError('rejected', 'READ_ONLY', 'This calendar is read-only for the connected account.', options);
  }
  if (operation === 'calendars') {
    return new ProviderError(
      'auth',
      'SCOPE_MISSING',
      'Holdfast needs permission to use the calendars of this account (Calendars.ReadWrite). Reconnect it and accept. ' +
        "Your organization's administrator may have to approve it.",
      options,
    );
  }
  if (operation === 'subscribe' || operation === 'renew') {
    return new ProviderError(
      'rejected',
      'PUSH_UNSUPPORTED',
      "Microsoft doesn't send updates for this calendar. We check it regularly instead.",
      options,
    );
  }
  return new ProviderError(
    'rejected',
    'FORBIDDEN',
    "Microsoft doesn't allow this account to read this calendar. Check its sharing settings.",
    options,
  );
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

/** Source: Update event, "Response". */
export function crossesNeighbour(requestId?: string): ProviderError {
  return new ProviderError(
    'rejected',
    'CROSSES_NEIGHBOUR',
    "Outlook can't move an event past the previous or next date of its series, or onto the same day.",
    { requestId },
  );
}

export function changedMeanwhile(requestId?: string): ProviderError {
  return new ProviderError(
    'precondition',
    'CHANGED_MEANWHILE',
    'The event was changed in another app first. Nothing was overwritten.',
    { requestId },
  );
}

export function cursorExpired(): ProviderError {
  return new ProviderError(
    'cursor-expired',
    'SYNC_TOKEN_EXPIRED',
    "Microsoft no longer knows our last position. We're reading all events again.",
  );
}

export function otherSite(link: string): ProviderError {
  const host = URL.parse(link)?.host ?? 'nowhere';
  return new ProviderError(
    'rejected',
    'OTHER_SITE',
    `Microsoft redirected us to ${host}. We didn't follow, for security.`,
  );
}

/** The code of an error body and of the errors inside it. */
function wordsOf(json: unknown): { codes: string[]; message: string } {
  const codes: string[] = [];
  let message = '';
  for (let error = field(json, 'error'), depth = 0; error !== undefined && depth < 4; depth += 1) {
    const code = field(error, 'code');
    if (typeof code === 'string') codes.push(code);
    const words = field(error, 'message');
    if (depth === 0 && typeof words === 'string') message = words.slice(0, 200);
    error = field(error, 'innerError') ?? field(error, 'innererror');
  }
  return { codes, message };
}

/** True for the one answer that proves an event to be gone: any other 404 may be about the mailbox or the address. */
export function provesGone(status: number, json: unknown): boolean {
  return status === 410 || (status === 404 && wordsOf(json).codes.includes('ErrorItemNotFound'));
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
