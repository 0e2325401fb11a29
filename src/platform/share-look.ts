import { actForAll } from './fair-share.ts';

interface Look {
  over: Promise<unknown>;
  /** Begins when this one is over. */
  next: Promise<unknown> | null;
}

const looksOf = new WeakMap<object, Map<string, Look>>();

/**
 * Looks once for all in this process who ask the same while an earlier look is under way. Nobody is told what was seen
 * before they asked: the first looks at once, the others together as soon as that is over. `what` names all that the
 * answer follows from.
 */
export function shareLook<T>(of: object, what: string, look: () => Promise<T>): Promise<T> {
  const looks = looksOf.get(of) ?? new Map<string, Look>();
  looksOf.set(of, looks);
  const running = looks.get(what);
  if (running === undefined) return begin(looks, what, look);
  running.next ??= running.over.then(() => begin(looks, what, look));
  return running.next as Promise<T>;
}

function begin<T>(looks: Map<string, Look>, what: string, look: () => Promise<T>): Promise<T> {
  const answer = actForAll(look);
  const end = () => {
    if (mine.next === null) looks.delete(what);
  };
  const mine: Look = { over: answer.then(end, end), next: null };
  looks.set(what, mine);
  return answer;
}
