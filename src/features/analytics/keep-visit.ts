import type { KeepVisit } from '#features/booking/public.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { VisitBook } from './visit-book.ts';

const books = new WeakMap<Database, VisitBook>();

export const keepVisit: KeepVisit = (app, sign) => books.get(app.db)?.add(sign);

/** From now on what is seen of visitors is counted; answers with what ends that. */
export function openVisits(app: App): () => Promise<void> {
  const book = new VisitBook(app);
  books.set(app.db, book);
  return async () => {
    books.delete(app.db);
    await book.flush();
  };
}

/** Writes down at once what waits, for who wants to see it. */
export async function flushVisits({ db }: Pick<App, 'db'>): Promise<void> {
  await books.get(db)?.flush();
}
