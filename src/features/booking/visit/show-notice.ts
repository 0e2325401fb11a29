import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { fillWords } from '../rules/fill-words.ts';
import type { NoticeData } from '../rules/visit-data.ts';
import { readVisitor } from './read-visitor.ts';

export type NoticeName = 'nobody' | 'gone' | 'paused' | 'away';

/** A page that says why there is nothing to book. */
export function showNotice(
  call: PageCall,
  name: NoticeName,
  options: {
    status: number;
    values?: Record<string, string>;
    frames?: readonly string[] | null;
    home?: NoticeData['home'];
  },
): PageAnswer {
  const { words, language } = readVisitor(call, { zone: 'UTC' });
  const { home } = options;
  const title = fillWords(words, `notice.${name}`, options.values);
  const data: NoticeData = {
    words: {},
    title,
    text: fillWords(words, `notice.${name}-text`, options.values),
    link: home === undefined ? null : { to: '/', label: fillWords(words, 'notice.home') },
    home,
  };
  const frames = options.frames ?? null;
  return {
    kind: 'page',
    status: options.status,
    page: {
      name: 'notice',
      data,
      title: home === undefined ? title : `${title} · ${home.product}`,
      language,
      frames,
      unlisted: true,
    },
  };
}
