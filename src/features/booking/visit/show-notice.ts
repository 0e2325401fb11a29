import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { fillWords } from '../rules/fill-words.ts';
import type { NoticeData } from '../rules/visit-data.ts';
import { readVisitor } from './read-visitor.ts';

export type NoticeName = 'nobody' | 'gone' | 'paused' | 'away';

/** A page that says why there is nothing to book. */
export function showNotice(
  call: PageCall,
  name: NoticeName,
  options: { status: number; values?: Record<string, string>; frames?: readonly string[] | null },
): PageAnswer {
  const { words, language } = readVisitor(call, { zone: 'UTC' });
  const title = fillWords(words, `notice.${name}`, options.values);
  const data: NoticeData = {
    words: {},
    title,
    text: fillWords(words, `notice.${name}-text`, options.values),
    link: null,
  };
  const frames = options.frames ?? null;
  return {
    kind: 'page',
    status: options.status,
    page: { name: 'notice', data, title, language, frames, unlisted: true },
  };
}
