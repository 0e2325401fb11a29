import { countRequests, listQuestions } from '#features/booking/public.ts';
import { loadViewer } from '#features/calendar/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { meetingsContract } from './contract.ts';
import { readMeetings } from './read-meetings.ts';
import { readMirrors } from './read-mirrors.ts';
import { readRowFilter } from './read-row-filter.ts';
import { countMeetings, countMirrors, countTabs, findMeetings, findMirrors } from './store/find-rows.ts';

type Query = Input<typeof meetingsContract.listMeetings>['query'];
type Answer = Output<typeof meetingsContract.listMeetings>;

const pageRows = 50;

/** A page of the console: which rows, then what they are; a constant number of queries. */
export async function listMeetings(app: App, actor: Actor, query: Query): Promise<Answer> {
  refuseOthers(actor, query.user_id);
  const { db } = app;
  const nowMs = app.clock.nowMs();
  const viewer = await loadViewer(db, actor.userId);
  const filter = readRowFilter(query, viewer, nowMs);
  const page = { offset: (Number(query.page ?? 1) - 1) * pageRows, limit: pageRows };
  const [tabs, requests, questions] = await Promise.all([
    countTabs(db, actor.userId, nowMs),
    countRequests(db, actor.userId),
    listQuestions(app, actor.userId),
  ]);
  const answer: Answer = {
    upcoming: [],
    past: [],
    mirrors: [],
    counts: { ...tabs, requests: requests + questions.length },
    matching: 0,
    pages: 1,
  };
  if (query.scope === 'mirrors') {
    const [ids, matching] = await Promise.all([
      findMirrors(db, actor.userId, filter, page),
      countMirrors(db, actor.userId, filter),
    ]);
    answer.mirrors = await readMirrors(db, actor.userId, viewer, ids, nowMs);
    answer.matching = matching;
  } else {
    const [keys, matching] = await Promise.all([
      findMeetings(db, actor.userId, query.scope, filter, page),
      countMeetings(db, actor.userId, query.scope, filter),
    ]);
    answer[query.scope] = await readMeetings(db, actor.userId, viewer, keys, nowMs);
    answer.matching = matching;
  }
  answer.pages = Math.max(1, Math.ceil(answer.matching / pageRows));
  return answer;
}

/** The session decides whose console it is. Another person's id is refused rather than ignored. */
function refuseOthers(actor: Actor, userId: string | undefined): void {
  if (userId === undefined || userId === actor.userId) return;
  throw new AppError('forbidden', 'FORBIDDEN', 'These are the meetings of somebody else.');
}
