import { join } from 'node:path';
import { pageWords, readVisitor } from '#features/booking/public.ts';
import type { PageCall } from '#platform/page-route.ts';

const sayings = pageWords(join(import.meta.dirname, '../page/words'));

/** The visitor of a form, with the words of its pages. */
export function readFormVisitor(call: PageCall): ReturnType<typeof readVisitor> {
  const visitor = readVisitor(call, { zone: 'UTC' });
  return { ...visitor, words: { ...visitor.words, ...sayings(visitor.language) } };
}
