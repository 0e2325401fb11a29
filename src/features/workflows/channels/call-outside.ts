import type { App } from '#platform/app.ts';
import { FetchError, whyNotSent } from '#platform/fetch.ts';
import type { Heard } from '../rules/sending.ts';

export interface OutsideCall {
  url: string;
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Record<string, string>;
  body?: string;
  /** A person entered the address: only where anybody may go. */
  isEntered: boolean;
}

const timeoutMs = 15_000;
const mostBytes = 1_000_000;

/** One exchange; whatever goes wrong on its way is no answer. */
export async function callOutside(
  app: Pick<App, 'fetch' | 'apiFetch' | 'log'>,
  { url, method = 'GET', headers = {}, body, isEntered }: OutsideCall,
): Promise<Heard> {
  const given = { method, headers, ...(body === undefined ? {} : { body }) };
  try {
    if (isEntered) {
      const answer = await app.fetch.request({ url, ...given, timeoutMs, maxBytes: mostBytes });
      // anybody may have written it, and no step looks into it
      return heard(answer.status, answer.headers, answer.body, null);
    }
    const answer = await app.apiFetch(url, { ...given, signal: AbortSignal.timeout(timeoutMs) });
    const text = await answer.text();
    return heard(answer.status, Object.fromEntries(answer.headers), text, jsonOf(text));
  } catch (error) {
    // the address may hold a secret: its host is all that the log gets
    app.log.info(
      { host: new URL(url).host, err: error instanceof FetchError ? error.code : error },
      'a service gave no answer',
    );
    return { kind: 'none', connected: whyNotSent(error) === null };
  }
}

function heard(status: number, headers: Record<string, string>, body: string, json: unknown): Heard {
  return { kind: 'answer', status, headers, body: body.slice(0, mostBytes), json };
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null; // SyntaxError: a page for people, or a word
  }
}
