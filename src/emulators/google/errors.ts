import { jsonReply, type Reply } from '#emulators/kit/exchange.ts';

/** A refusal in Google's words. Thrown by whatever notices, answered in one place. */
export class GoogleError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly detail: ErrorDetail;

  constructor(code: number, reason: string, message: string, detail: ErrorDetail = {}) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.detail = detail;
  }
}

export interface ErrorDetail {
  domain?: 'global' | 'calendar' | 'usageLimits' | 'push';
  locationType?: 'parameter' | 'header';
  location?: string;
  /** The newer form, beside `errors`. */
  status?: string;
  details?: unknown[];
  headers?: Record<string, string>;
}

/** The body that every Calendar error has. Source: Google Calendar API, "Handle API errors". */
export function errorReply({ code, reason, message, detail }: GoogleError): Reply {
  const { domain = 'global', locationType, location, status, details, headers = {} } = detail;
  const error = {
    errors: [{ domain, reason, message, ...(locationType && { locationType }), ...(location && { location }) }],
    code,
    message,
    ...(status && { status }),
    ...(details && { details }),
  };
  return jsonReply(code, { error }, headers);
}

export const badRequest = (reason: string, message: string, detail?: ErrorDetail) =>
  new GoogleError(400, reason, message, detail);
export const invalid = (message: string, detail?: ErrorDetail) => badRequest('invalid', message, detail);
export const invalidParameter = (location: string) => invalid('Invalid Value', { locationType: 'parameter', location });
export const notFound = () => new GoogleError(404, 'notFound', 'Not Found');
export const gone = () => new GoogleError(410, 'deleted', 'Resource has been deleted');
export const conditionNotMet = () =>
  new GoogleError(412, 'conditionNotMet', 'Precondition Failed', { locationType: 'header', location: 'If-Match' });
export const duplicate = () => new GoogleError(409, 'duplicate', 'The requested identifier already exists.');
export const accessLevel = () =>
  new GoogleError(403, 'requiredAccessLevel', 'You need to have writer access to this calendar.', {
    domain: 'calendar',
  });
export const notOrganizer = () =>
  new GoogleError(
    403,
    'forbiddenForNonOrganizer',
    'Shared properties can only be changed by the organizer of the event.',
    { domain: 'calendar' },
  );
export const fullSyncRequired = () =>
  new GoogleError(410, 'fullSyncRequired', 'Sync token is no longer valid, a full sync is required.', {
    domain: 'calendar',
    locationType: 'parameter',
    location: 'syncToken',
  });
export const unauthorized = () =>
  new GoogleError(401, 'authError', 'Invalid Credentials', {
    locationType: 'header',
    location: 'Authorization',
    status: 'UNAUTHENTICATED',
    headers: { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
  });
export const insufficientScopes = () =>
  new GoogleError(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.', {
    status: 'PERMISSION_DENIED',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
        domain: 'googleapis.com',
        metadata: { service: 'calendar-json.googleapis.com' },
      },
    ],
  });
/** Source: "Handle API errors": the same limit may come as 403 or 429, and under either reason. */
export function rateLimited(style: RateLimitStyle): GoogleError {
  if (style === '403 userRateLimitExceeded') {
    return new GoogleError(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded', { domain: 'usageLimits' });
  }
  const code = style === '429 rateLimitExceeded' ? 429 : 403;
  return new GoogleError(code, 'rateLimitExceeded', 'Rate Limit Exceeded', { domain: 'usageLimits' });
}
export const rateLimitStyles = ['403 rateLimitExceeded', '403 userRateLimitExceeded', '429 rateLimitExceeded'] as const;
export type RateLimitStyle = (typeof rateLimitStyles)[number];
