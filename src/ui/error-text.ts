import { ApiError } from '#kernel/api-error.ts';

/** What is said of an error where the server has not said it in the person's language. */
export interface ErrorWords {
  /** A bug of ours, which does not show its insides. */
  unexpected: string;
  unreachable: string;
  /** A refusal that says nothing of itself. */
  failed: string;
}

/** What the person reads for any thrown value. */
export function errorTextOf(error: unknown, words: ErrorWords): string {
  if (!(error instanceof ApiError)) return words.unexpected;
  // what the server says is in the person's language; these two the browser says for it
  if (error.code === 'NETWORK') return words.unreachable;
  return error.message === 'Request failed' ? words.failed : error.message;
}
