import { connectionsContract } from '#features/connections/contract.ts';
import { ApiError, errorCodeOf } from '#kernel/contract-client.ts';

export type ConnectField = 'url' | 'username' | 'password';

/** The input that can mend a refused connection; null when none of them can. */
export function fieldOfError(error: unknown): ConnectField | null {
  if (error instanceof ApiError) {
    const named = (['url', 'username', 'password'] as const).find((field) => field in error.fields);
    if (named) return named;
  }
  switch (errorCodeOf(connectionsContract.connectCaldav, error)) {
    case 'WRONG_PASSWORD':
      return 'password';
    case 'UNREACHABLE':
    case 'TLS':
    case 'LOGIN_PAGE':
    case 'NOT_CALDAV':
    case 'BAD_ANSWER':
    case 'TOO_LARGE':
      return 'url';
    case 'ALREADY_CONNECTED':
    case 'NO_CALENDARS':
      return 'username';
    default:
      return null;
  }
}
