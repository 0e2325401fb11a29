import { jsonReply, type Reply } from '#emulators/kit/exchange.ts';

/** A refusal in HubSpot's words. Source: "Handling errors". */
export class HubspotError extends Error {
  readonly status: number;
  readonly category: string;
  readonly more: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    category: string,
    message: string,
    more: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.category = category;
    this.more = more;
    this.headers = headers;
  }
}

export function errorReply({ status, category, message, more, headers }: HubspotError): Reply {
  const correlationId = 'aeb5f871-7f07-4993-9211-075dc63e7cbf';
  return jsonReply(status, { status: 'error', message, correlationId, category, ...more }, headers);
}

export const unauthenticated = () =>
  new HubspotError(
    401,
    'INVALID_AUTHENTICATION',
    'Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview',
  );
export const missingScopes = (scopes: string[]) =>
  new HubspotError(403, 'MISSING_SCOPES', 'This app hasn’t been granted all required scopes to make this call.', {
    errors: [
      { message: 'One or more of the following scopes are required.', context: { requiredGranularScopes: scopes } },
    ],
  });
export const invalid = (message: string) => new HubspotError(400, 'VALIDATION_ERROR', message);
export const notFound = (message: string) => new HubspotError(404, 'OBJECT_NOT_FOUND', message);
export const conflict = (message: string) => new HubspotError(409, 'CONFLICT', message);

/** Source: "API usage guidelines", rate limits: the policy's name tells which limit was reached. */
export const rateLimited = (policyName: 'TEN_SECONDLY_ROLLING' | 'DAILY', headers: Record<string, string> = {}) =>
  new HubspotError(
    429,
    'RATE_LIMITS',
    policyName === 'DAILY' ? 'You have reached your daily limit.' : 'You have reached your ten_secondly_rolling limit.',
    { errorType: 'RATE_LIMIT', policyName, groupName: 'publicapi:private-apps:api-calls:ten-secondly' },
    headers,
  );
