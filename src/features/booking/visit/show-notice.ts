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
    /** Address of all that the host offers. */
    profile?: string | null;
  },
): PageAnswer {
  const { words, language } = readVisitor(call, { zone: 'UTC' });
  const { home, profile = null } = options;
  const others =
    profile === null ? null : { to: profile, label: fillWords(words, 'month.others', options.values), outside: true };
  const title = fillWords(words, `notice.${name}`, options.values);
  const data: NoticeData = {
    words: {},
    title,
    text: fillWords(words, `notice.${name}-text`, options.values),
    link: home === undefined ? others : { to: '/', label: fillWords(words, 'notice.home') },
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
