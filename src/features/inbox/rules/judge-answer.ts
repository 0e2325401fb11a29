/** What came of one call: an answer, nothing that was sent, or nothing that anybody can know. */
export type Answer =
  | { kind: 'status'; status: number; waitMs: number | undefined }
  | { kind: 'not-sent'; isForbidden: boolean }
  | { kind: 'unknown' };

/** refused counts against the device; gone removes it. */
export type Verdict =
  | { is: 'sent' | 'gone' }
  | { is: 'failed' | 'refused'; error: string }
  | { is: 'again'; error: string; afterMs: number };

/** 30 s, 2 min, 8 min, 32 min, or what the service asks for. */
const mostAttempts = 5;
const firstDelayMs = 30_000;
const longestDelayMs = 3_600_000;

/**
 * What an attempt means. Again only where the service says that it took nothing, or nobody was there; never where nobody can
 * know: a notice that is missing is in the bell, one that comes twice is a nuisance. Source: RFC 8030 5 and 8.4.
 */
export function judgeAnswer(answer: Answer, { attempts, leftMs }: { attempts: number; leftMs: number }): Verdict {
  if (answer.kind === 'unknown') return { is: 'failed', error: 'nobody knows whether it was sent' };
  if (answer.kind === 'not-sent' && answer.isForbidden) return { is: 'refused', error: 'its address is not called' };
  const status = answer.kind === 'status' ? answer.status : 0;
  if (status >= 200 && status < 300) return { is: 'sent' };
  if (status === 404 || status === 410) return { is: 'gone' };
  const error = status === 0 ? 'nobody was there' : `answered ${status}`;
  if (status > 0 && status < 500 && status !== 429) return { is: 'refused', error };
  const asked = answer.kind === 'status' ? (answer.waitMs ?? 0) : 0;
  const afterMs = Math.min(Math.max(firstDelayMs * 4 ** (attempts - 1), asked), longestDelayMs);
  if (attempts >= mostAttempts || afterMs >= leftMs) return { is: 'failed', error };
  return { is: 'again', error, afterMs };
}
