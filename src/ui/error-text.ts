import { ApiError } from '#kernel/api-error.ts';

/** Texts for errors that the server has not translated. */
export interface ErrorWords {
  /** A bug of ours, which does not show its insides. */
  unexpected: string;
  unreachable: string;
  /** A refusal that says nothing of itself. */
  failed: string;
}

/** Returns the text that the person reads for any thrown value. */
export function errorTextOf(error: unknown, words: ErrorWords): string {
  if (!(error instanceof ApiError)) return words.unexpected;
  // the server's texts are translated, except for these two, which come from the browser
  if (error.code === 'NETWORK') return words.unreachable;
  return error.message === 'Request failed' ? words.failed : error.message;
}
