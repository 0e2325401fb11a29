import {
  AuthorizationResponseError,
  OperationProcessingError,
  ResponseBodyError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { OAuthError, type OAuthFault } from './oauth-server.ts';

/** Words of RFC 6749 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6, and what Google and Microsoft add. */
const faults: Record<string, OAuthFault> = {
  invalid_grant: 'grant',
  interaction_required: 'grant',
  consent_required: 'grant',
  login_required: 'grant',
  access_denied: 'grant',
  invalid_client: 'client',
  unauthorized_client: 'client',
  invalid_scope: 'client',
  invalid_request: 'client',
  unsupported_grant_type: 'client',
  unsupported_response_type: 'client',
  temporarily_unavailable: 'transient',
  server_error: 'transient',
};

const texts: Record<OAuthFault, string> = {
  grant: 'The authorization server no longer accepts our access.',
  client: "The authorization server doesn't accept this server's registration.",
  refused: "The response doesn't match the request.",
  transient: 'The authorization server sent an unexpected response.',
};

/** Classifies an error of the library, or the server's answer inside it. */
export function classifyOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (error instanceof ResponseBodyError) {
    if (error.status >= 500 || error.status === 429) return faultOf('transient', error.error, error);
    return faultOf(faults[error.error] ?? 'client', wordOf(error), error);
  }
  // at a token endpoint this is about the client, in words that only the header may have
  if (error instanceof WWWAuthenticateChallengeError) return faultOf('client', 'invalid_client', error);
  if (error instanceof AuthorizationResponseError) return faultOf(faults[error.error] ?? 'client', error.error, error);
  if (error instanceof OperationProcessingError && /^OAUTH_(JWT|KEY|INVALID_RESPONSE)/.test(error.code ?? '')) {
    return faultOf('refused', error.code ?? 'REFUSED', error);
  }
  if (error instanceof UnsupportedOperationError) return faultOf('refused', error.code, error);
  const code = error instanceof OperationProcessingError ? (error.code ?? 'BAD_ANSWER') : 'UNREACHABLE';
  return faultOf('transient', code, error);
}

/** The library's errors carry the whole answer, tokens included: only their words go on. */
function faultOf(fault: OAuthFault, code: string, error: unknown): OAuthError {
  const cause = error instanceof OperationProcessingError ? new Error(error.message) : error;
  return new OAuthError(fault, code.slice(0, 100), texts[fault], fault === 'transient' ? { cause } : {});
}

/** `invalid_grant invalid_rapt`, `invalid_grant AADSTS50173`: which of its reasons, where the server tells. */
function wordOf(error: ResponseBodyError): string {
  const subtype = [error.cause.error_subtype, error.cause.suberror].find(isWord);
  const number = /\bAADSTS\d{3,8}\b/.exec(error.error_description ?? '')?.[0];
  return [error.error, subtype, number].filter((part) => part !== undefined).join(' ');
}

const isWord = (value: unknown): value is string => typeof value === 'string' && /^\w{1,40}$/.test(value);
