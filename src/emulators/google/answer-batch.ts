import type { Moment } from '#emulators/kit/emulator.ts';
import { type Reply, type Request, reply } from '#emulators/kit/exchange.ts';
import { badRequest, GoogleError } from './errors.ts';

const MOST_PARTS = 50;
const REASONS: Record<number, string> = { 200: 'OK', 204: 'No Content', 400: 'Bad Request', 404: 'Not Found' };

/** Several calls in one request; each counts against the quota. Source: Google Calendar API, "Send batch requests". */
export function answerBatch(request: Request, moment: Moment): Reply {
  const boundary = /boundary="?([^";]+)"?/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) throw badRequest('badRequest', 'Missing boundary of the batch.');
  const parts = request.body
    .split(`--${boundary}`)
    .slice(1)
    .filter((part) => !part.startsWith('--'));
  if (parts.length > MOST_PARTS) throw new GoogleError(400, 'badRequest', 'The batch request contains too many calls.');
  const answers = parts.map((part) => {
    const [partHead = '', callHead = '', ...body] = part.trim().split(/\r?\n\r?\n/);
    const partId = readHeaders(partHead)['content-id'] ?? '';
    const [line = '', ...headerLines] = callHead.split(/\r?\n/);
    const [method = 'GET', target = '/'] = line.split(' ');
    const mark = target.indexOf('?');
    const inner = moment.nest({
      method,
      path: mark === -1 ? target : target.slice(0, mark),
      query: mark === -1 ? '' : target.slice(mark + 1),
      // The outer request's authorization holds where a part brings none.
      headers: { authorization: request.headers.authorization, ...readHeaders(headerLines.join('\n')) },
      body: body.join('\r\n\r\n').trim(),
    });
    return printPart(partId, inner);
  });
  const own = 'batch_emulated';
  const body = `${answers.map((answer) => `--${own}\r\n${answer}\r\n`).join('')}--${own}--\r\n`;
  return reply(200, { 'content-type': `multipart/mixed; boundary=${own}` }, body);
}

function printPart(partId: string, { status, headers, body }: Reply): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    'Content-Type: application/http',
    `Content-ID: ${partId.startsWith('<') ? `<response-${partId.slice(1)}` : `response-${partId}`}`,
    '',
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Answer'}`,
    ...head,
    '',
    body,
  ].join('\r\n');
}

function readHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}
