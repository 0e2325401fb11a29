import { listHosts } from '#features/accounts/public.ts';
import { listTeammates, listTeamsOf } from '#features/teams/public.ts';
import { may } from '#features/teams/rules/permissions.ts';
import type { Output } from '#kernel/contract.ts';
import type { ContactId } from '#kernel/ids.ts';
import { compareNames } from '#kernel/languages.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { contactsContract } from './contract.ts';
import { judgeFollowUp } from './judge-follow-up.ts';
import { noContact } from './load-contact.ts';
import { findContact, listAddresses } from './store/contact-rows.ts';
import { countDue, findNext, listBookingsAhead } from './store/meeting-rows.ts';
import { listFollowUps, listNotes } from './store/note-rows.ts';
import { listOwners } from './store/owner-rows.ts';
import { isoOfMs, viewContact, viewMeeting } from './view-contact.ts';

const mostAhead = 20;

/** The profile of a contact, in a constant number of statements. *Errors*: AppError not-found. */
export async function showContact(
  app: Pick<App, 'db' | 'clock' | 'mail'>,
  { userId }: Actor,
  id: ContactId,
): Promise<Output<typeof contactsContract.readContact>> {
  const { db } = app;
  const nowMs = app.clock.nowMs();
  await countDue(db, userId, nowMs);
  const contact = await findContact(db, userId, id);
  if (contact === null) throw noContact();
  const [addresses, next, ahead, notes, followUps, followUp, teams, mates] = await Promise.all([
    listAddresses(db, [id]),
    findNext(db, id, nowMs),
    listBookingsAhead(db, id, { nowMs, limit: mostAhead }),
    listNotes(db, [id]),
    listFollowUps(db, id),
    judgeFollowUp(app, db, userId, contact),
    listTeamsOf(db, userId),
    listTeammates(db, userId),
  ]);
  const [hosts, owners] = await Promise.all([
    listHosts(db, [...new Set(mates.map((one) => one.userId))]),
    listOwners(
      db,
      teams.map((team) => team.id),
      contact.address,
    ),
  ]);
  return {
    contact: viewContact(contact, addresses),
    next: next === null ? null : viewMeeting(next),
    bookings_ahead: ahead.map(viewMeeting),
    notes: notes.map(({ id: noteId, body, atMs }) => ({ id: noteId, body, at: isoOfMs(atMs) })),
    follow_ups: followUps.map(({ atMs, ...one }) => ({ ...one, at: isoOfMs(atMs) })),
    follow_up: followUp,
    teams: teams.map((team) => ({
      id: team.id,
      name: team.name,
      may_choose: may(team.role, 'manage-routing'),
      owner_id: owners.find((one) => one.teamId === team.id)?.userId ?? null,
      members: mates
        .filter((one) => one.teamId === team.id)
        .map((one) => ({ id: one.userId, name: hosts.get(one.userId)?.name ?? '' }))
        .filter((one) => one.name !== '')
        .toSorted((one, other) => compareNames(one.name, other.name)),
    })),
  };
}
