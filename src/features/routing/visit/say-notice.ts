import { fillWords } from '#features/booking/rules/fill-words.ts';
import type { NoticeData } from '#features/booking/rules/visit-data.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { readFormVisitor } from './read-form-visitor.ts';

/** A page that says one thing about a form. `text` instead of the words for it: what its owner wrote. */
export function sayNotice(
  call: PageCall,
  name: 'away' | 'paused' | 'nobody' | 'message' | 'url' | 'nothing' | 'used',
  options: {
    status?: number;
    values?: Record<string, string>;
    text?: string;
    goOn?: string;
    frames?: readonly string[] | null;
    framedBy?: string | undefined;
    home?: NoticeData['home'];
  } = {},
): PageAnswer {
  const { words, language } = readFormVisitor(call);
  const { status = 200, values, text, goOn, frames = null, framedBy, home } = options;
  const title = fillWords(words, `form-notice.${name}`, values);
  const data: NoticeData = {
    words: {},
    title,
    text: text ?? fillWords(words, `form-notice.${name}-text`, values),
    link:
      goOn === undefined
        ? null
        : { to: goOn, label: fillWords(words, `form-notice.${name}-go`, values), outside: true },
    home,
  };
  const page = { name: 'notice' as const, data, language, frames, framedBy, unlisted: true };
  return { kind: 'page', status, page: { ...page, title: home === undefined ? title : `${title} · ${home.product}` } };
}
