import { createHmac, randomBytes } from 'node:crypto';
import { findSignedIn } from '#features/accounts/sessions/public.ts';
import type { KeepVisit, VisitSign } from '#features/booking/public.ts';
import type { UserId } from '#kernel/ids.ts';
import { printLocalDate } from '#kernel/time/local.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { isCounted } from './rules/visits.ts';
import { addSigns, getSalt, type Sign } from './store/visit-rows.ts';

const books = new WeakMap<Database, VisitBook>();

export const recordVisit: KeepVisit = (app, sign) => books.get(app.db)?.add(sign);

/** Starts to count visits. Returns the function that stops it. */
export function startVisits(app: App): () => Promise<void> {
  const book = new VisitBook(app);
  books.set(app.db, book);
  return async () => {
    books.delete(app.db);
    await book.flush();
  };
}

/** Stores waiting signs at once, for a reader who needs them. */
export async function flushVisits({ db }: Pick<App, 'db'>): Promise<void> {
  await books.get(db)?.flush();
}

type VisitApp = Parameters<KeepVisit>[0];
type Noted = VisitSign & { atMs: number };

/** Time for which signs wait for others, so that a popular page costs a statement now and then. */
const flushMs = 2_000;
/** More than this is no crowd but a flood: what comes beyond is not counted. */
const mostWaiting = 10_000;

/** Signs of visits on their way to the database: a page only leaves them here. */
export class VisitBook {
  readonly #app: VisitApp;
  #waiting: Noted[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(app: VisitApp) {
    this.#app = app;
  }

  add(sign: VisitSign): void {
    const { userAgent, onlooker } = sign.request;
    const facts = onlooker ?? { asksNotToBeTracked: false, isPrefetch: false };
    if (this.#waiting.length >= mostWaiting || !isCounted({ ...facts, userAgent })) return;
    this.#waiting.push({ ...sign, atMs: this.#app.clock.nowMs() });
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref();
  }

  /**
   * Stores the waiting signs. Signs of a failed write are lost, because a retry would keep the page's address and
   * network for longer.
   */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const signs = this.#waiting;
    this.#waiting = [];
    if (signs.length === 0) return;
    try {
      const strangers = await withoutHosts(this.#app.db, signs);
      if (strangers.length > 0) await inTransaction(this.#app.db, (tx) => keep(this.#app, tx, strangers));
    } catch (error) {
      this.#app.log.warn({ err: error, signs: signs.length }, 'visits were not counted');
    }
  }
}

/** Signs without those of signed-in hosts, who look at their own page. */
async function withoutHosts(db: Database, signs: readonly Noted[]): Promise<Noted[]> {
  const tokens = new Set(signs.flatMap(({ request }) => request.onlooker?.sessionToken ?? []));
  const people = new Map<string, UserId | null>();
  for (const token of tokens) people.set(token, await findSignedIn(db, token));
  return signs.filter(({ request, hostIds }) => {
    const userId = people.get(request.onlooker?.sessionToken ?? '') ?? null;
    return userId === null || !hostIds.includes(userId);
  });
}

async function keep({ keyring }: VisitApp, tx: Tx, signs: readonly Noted[]): Promise<void> {
  const salts = new Map<string, string>();
  const known: Sign[] = [];
  for (const { what, eventTypeId, bookingId = null, request, atMs } of signs) {
    const day = printLocalDate(atMs);
    const place = { table: 'analytics.salts', row: day, column: 'salt' };
    let salt = salts.get(day);
    if (salt === undefined) {
      const fresh = keyring.seal(randomBytes(32).toString('base64'), place);
      salt = keyring.open(await getSalt(tx, day, fresh), place);
      salts.set(day, salt);
    }
    // by event type too: nobody is followed from one page to another
    const hash = createHmac('sha256', salt).update(`${eventTypeId} ${request.ip} ${request.userAgent ?? ''}`);
    known.push({ eventTypeId, visitor: hash.digest().subarray(0, 16), atMs, what, bookingId });
  }
  await addSigns(tx, known);
}
