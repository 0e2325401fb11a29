import { parseHttpDate } from '#kernel/http-date.ts';

/** The input and output of an adapter, without a database. */

/** The result of one call. `none`: no answer; where it was not even connected, nothing was carried out. */
export type Heard =
  | { kind: 'answer'; status: number; headers: Readonly<Record<string, string>>; body: string; json: unknown }
  | { kind: 'none'; connected: boolean };

export interface Refusal {
  kind: 'refused';
  /** Kebab-case, no secret in it. */
  reason: string;
  permanent: boolean;
  retryAfterMs?: number;
  /** The account itself is refused: in words for its owner. */
  account?: string;
}

/** `reference`: what the service calls this one message, and no other; empty where nothing is called so. */
export type Sent = { kind: 'sent'; reference: string } | Refusal | { kind: 'unknown' };

/** Longest that an answer may put a step off. */
const longestMs = 3_600_000;

/** `Retry-After` in seconds or as a date; null where it is not there or cannot be read. */
function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = (header ?? '').trim();
  const atMs = /^\d{1,7}$/.test(text) ? nowMs + Number(text) * 1_000 : parseHttpDate(text);
  return atMs === null ? null : Math.min(longestMs, Math.max(1_000, atMs - nowMs));
}

/** Classifies a call without an answer, or with a gateway's answer. */
export function lostAnswer(heard: Heard): Refusal | { kind: 'unknown' } {
  if (heard.kind === 'answer' || heard.connected) return { kind: 'unknown' };
  return { kind: 'refused', reason: 'unreachable', permanent: false };
}

/** Answers that every service means alike; null: the answer is specific to the service. */
export function refusalOf(heard: Heard & { kind: 'answer' }, nowMs: number): Refusal | null {
  const { status, headers } = heard;
  if (status === 429) {
    const retryAfterMs = readRetryAfter(headers['retry-after'], nowMs) ?? 10_000;
    return { kind: 'refused', reason: 'rate-limited', permanent: false, retryAfterMs };
  }
  if (status >= 300 && status < 400) return { kind: 'refused', reason: 'redirected', permanent: true };
  return null;
}
