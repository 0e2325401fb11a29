import { readVisitor } from '#features/booking/public.ts';
import type { PageCall } from '#platform/page-route.ts';
import en from '../page/words/en.json' with { type: 'json' };

/** Another language joins by its file and its name here; what it lacks is said in English. */
const languages: Readonly<Record<string, Readonly<Record<string, string>>>> = { en };

/** Who reads a form, with the words of its pages. */
export function readFormVisitor(call: PageCall): ReturnType<typeof readVisitor> {
  const visitor = readVisitor(call, { zone: 'UTC' });
  return { ...visitor, words: { ...visitor.words, ...languages.en, ...languages[visitor.language] } };
}
