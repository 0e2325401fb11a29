import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorAnswer, toErrorAnswer } from './http-errors.ts';
import { noticePolicy, writeNotice } from './notice-document.ts';
import { ownWords } from './own-words.ts';
import { tongueOf } from './session-cookie.ts';

/** The answer to a failed request: a page for a person whose browser goes somewhere, the usual shape for programs. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { language } = tongueOf(request);
  const { answer, logged } = toErrorAnswer(error, language);
  if (logged !== null)
    request.log[logged]({ err: error as Error, route: request.routeOptions.url }, 'a request failed');
  if (answer.retryAfterSeconds !== undefined) void reply.header('retry-after', answer.retryAfterSeconds);
  void reply.header('x-request-id', request.id).code(answer.status);
  if (!wantsPage(request)) return reply.send(answer.body);
  const embeds = request.routeOptions.config?.embeds === true;
  // a notice must also be visible in a frame of another site
  if (embeds) reply.removeHeader('x-frame-options');
  return reply
    .header('content-security-policy', noticePolicy(embeds))
    .type('text/html; charset=utf-8')
    .send(writeErrorPage(request, answer, language));
}

const wantsPage = ({ headers, url }: FastifyRequest) =>
  (headers.accept ?? '').includes('text/html') && !/^\/api(?:[/?]|$)/.test(url);

function writeErrorPage({ method, url, id }: FastifyRequest, answer: ErrorAnswer, language: string): string {
  const words = ownWords(language);
  const isForm = method !== 'GET' && method !== 'HEAD';
  const { status, body, retryAfterSeconds } = answer;
  const [title, text] =
    status === 503
      ? [words['error.away'], words['error.awayText']]
      : status >= 500
        ? [words['error.fault'], words['error.faultText'].replace('{id}', id)]
        : [words['error.refused'], body.detail.message];
  return writeNotice({
    language,
    title,
    text,
    more: isForm ? words['error.unsent'] : '',
    link: isForm || !url.startsWith('/') || url.startsWith('//') ? undefined : { to: url, label: words['error.retry'] },
    refreshSeconds: isForm || status !== 503 ? undefined : retryAfterSeconds,
  });
}
