import { AppError, httpStatusOf } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { sayError } from '#platform/error-words.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { fillWords } from '../rules/fill-words.ts';
import { longestMessage, type MessageData } from '../rules/visit-data.ts';
import { writeToHosts } from '../write-to-hosts.ts';
import { findVisitedBooking, type VisitedBooking } from './find-visited-booking.ts';

/** The form by which a guest writes to a host: `/booked/{token}/message`. */
export async function visitMessage(app: App, call: PageCall): Promise<PageAnswer | null> {
  const visited = await findVisitedBooking(app, call);
  if ('answer' in visited) return visited.answer;
  const { path, token, contact } = visited;
  if (contact === null) return { kind: 'go', to: path };
  if (call.method === 'GET') return show(call, visited);
  try {
    await writeToHosts(app, token, call.form.get('text') ?? '', call.request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return show(call, visited, { status: httpStatusOf[error.kind], trouble: error.message });
  }
  return { kind: 'go', to: `${path}?message=sent` };
}

function show(
  call: PageCall,
  { booked, host, path, visitor }: VisitedBooking,
  { status = 200, trouble = null }: { status?: number; trouble?: string | null } = {},
): PageAnswer {
  const { language } = visitor;
  const data: MessageData = {
    words: visitor.words,
    reading: visitor.reading,
    host,
    path: `${path}/message`,
    title: booked.title,
    startMinute: booked.start,
    durationMinutes: booked.duration,
    series: booked.series,
    email: booked.email,
    text: (call.form.get('text') ?? '').slice(0, longestMessage),
    trouble: trouble && sayError(trouble, language),
    backTo: path,
  };
  const title = `${fillWords(visitor.words, 'booked.write', { host: host.name })} · ${booked.title}`;
  return {
    kind: 'page',
    status,
    page: { name: 'message', data, title, language, frames: null, counts: true, unlisted: true },
  };
}
