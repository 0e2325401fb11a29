import { jsonReply, type Reply } from '#emulators/kit/exchange.ts';
import { printLocalDateTime } from '#kernel/time/local.ts';
import { guidOf } from './graph-errors.ts';

/** Source: "Microsoft Entra authentication and authorization error codes". */
const texts: Record<number, string> = {
  50011: 'The redirect URI specified in the request does not match the redirect URIs configured for the application.',
  50173: 'The provided grant has expired due to it being revoked, a fresh auth token is needed.',
  50076:
    'Due to a configuration change made by your administrator, you must use multi-factor authentication to access the resource.',
  53003: 'Access has been blocked by Conditional Access policies.',
  54005:
    'OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing refresh token.',
  65001:
    'The user or administrator has not consented to use the application. Send an interactive authorization request for this user and resource.',
  65004: 'User declined to consent to access the app.',
  70008:
    'The provided authorization code or refresh token has expired due to inactivity. Send a new interactive authorization request for this user and resource.',
  70011: 'The provided value for the input parameter scope is not valid.',
  70043: 'The refresh token has expired or is invalid due to sign-in frequency checks by conditional access.',
  500113: 'No reply address is registered for the application.',
  501481: 'The Code_Verifier does not match the code_challenge supplied in the authorization request.',
  700016: 'Application with the given identifier was not found in the directory.',
  700082: 'The refresh token has expired due to inactivity. The token was inactive for 90.00:00:00.',
  900144: 'The request body must contain a parameter that is missing.',
  900561: 'The endpoint only accepts POST requests.',
  7000215:
    'Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID.',
  7000222: 'The provided client secret keys are expired. Create new keys for your app.',
  9002313: 'Invalid request. Request is malformed or invalid.',
};

export interface OAuthError {
  error: string;
  code: number;
  suberror?: string;
}

export function describeOAuthError({ code }: OAuthError, nowMs: number): string {
  const id = guidOf(`${nowMs} ${code}`);
  const stamp = `${printLocalDateTime(nowMs).replace('T', ' ')}Z`;
  return `AADSTS${code}: ${texts[code] ?? 'The request failed.'}\r\nTrace ID: ${id}\r\nCorrelation ID: ${id}\r\nTimestamp: ${stamp}`;
}

export function oauthErrorReply(refusal: OAuthError, nowMs: number): Reply {
  const id = guidOf(`${nowMs} ${refusal.code}`);
  const status = refusal.error === 'invalid_client' ? 401 : refusal.error === 'temporarily_unavailable' ? 503 : 400;
  return jsonReply(
    status,
    {
      error: refusal.error,
      error_description: describeOAuthError(refusal, nowMs),
      error_codes: [refusal.code],
      timestamp: `${printLocalDateTime(nowMs).replace('T', ' ')}Z`,
      trace_id: id,
      correlation_id: id,
      error_uri: `https://login.microsoftonline.com/error?code=${refusal.code}`,
      ...(refusal.suberror === undefined ? {} : { suberror: refusal.suberror }),
    },
    { 'cache-control': 'no-store, no-cache', pragma: 'no-cache' },
  );
}
