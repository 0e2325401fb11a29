import { listHosts } from '#features/accounts/public.ts';
import { listTeammates } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import { compareNames } from '#kernel/languages.ts';
import { foldText } from '#kernel/text/fold-text.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { suggestContacts } from '../store/find-contacts.ts';
import { countDue } from '../store/meeting-rows.ts';
import type { suggestionsContract } from './contract.ts';

type Suggestion = Output<typeof suggestionsContract.suggestGuests>['guests'][number];

const most = 6;
/** More words do not narrow the search any further. */
const mostWords = 8;
/** With more, a large team would hide contacts of the same name. */
const mostTeammates = 3;

/**
 * People to invite with words that begin with the typed ones: teammates by name and address, then contacts, by company and
 * tags too. Contacts with a meeting in the last 90 days or ahead come first, then those of most meetings. Seven statements.
 */
export async function suggestGuests(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Actor,
  typed: string,
): Promise<Suggestion[]> {
  const words = foldText(typed).split(' ').slice(0, mostWords);
  if (words[0] === '') return [];
  const nowMs = clock.nowMs();
  await countDue(db, userId, nowMs, 1);
  const [teammates, contacts] = await Promise.all([
    findTeammates(db, userId, words),
    suggestContacts(db, userId, { words, nowMs }, most),
  ]);
  const known = new Set(teammates.map(({ address }) => address));
  const others = contacts.filter(({ address }) => !known.has(address));
  const room = Math.max(mostTeammates, most - others.length);
  return [...teammates.slice(0, room), ...others.map(({ name, address }) => ({ name, address, in_team: false }))].slice(
    0,
    most,
  );
}

async function findTeammates(db: Database, userId: UserId, words: readonly string[]): Promise<Suggestion[]> {
  const ids = new Set((await listTeammates(db, userId)).map((one) => one.userId));
  ids.delete(userId);
  const people = [...(await listHosts(db, [...ids])).values()];
  return people
    .filter(({ name, email }) => {
      const text = ` ${foldText(`${name} ${email}`)}`;
      return words.every((word) => text.includes(` ${word}`));
    })
    .sort((one, other) => compareNames(one.name, other.name))
    .map(({ name, email }) => ({ name, address: email.toLowerCase(), in_team: true }));
}
