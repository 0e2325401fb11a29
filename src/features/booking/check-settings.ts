import { capabilitiesOf, listCalendars, listConnections, makesConference } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import type { TypeOwner } from './rules/type-hosts.ts';
import type { TypeKind, TypeSettings } from './rules/type-settings.ts';

/**
 * Refuses what an event type cannot be booked with, before anything is stored.
 * *Errors*: AppError invalid (`INVALID`) with the fields.
 */
export async function checkSettings(
  app: Pick<App, 'db'>,
  { userId }: TypeOwner,
  kind: TypeKind,
  settings: TypeSettings,
): Promise<void> {
  if (kind !== 'collective' && settings.quorum !== null)
    throw refused('quorum', 'Only collective event types can have a minimum number of hosts.');
  if (kind !== 'round-robin' && settings.contact_owner_first)
    throw refused('contact_owner_first', 'Only round robin event types can prefer the contact owner.');
  if (kind !== 'group' && settings.seats !== 1)
    throw refused('seats', 'Only group event types can have several seats.');
  if (kind === 'group' && settings.recurring !== null)
    throw refused('recurring', "Group event types can't repeat. Book one session at a time.");
  if (userId === null) {
    // each of its hosts has their own
    if (settings.target_calendar_id !== null) throw refused('target_calendar_id', notOfATeam);
    if (settings.blocking_calendar_ids !== null) throw refused('blocking_calendar_ids', notOfATeam);
    if (settings.policy.kind !== 'default') throw refused('policy', "Team event types use each host's own hours.");
    return;
  }
  const [calendars, connections] = await Promise.all([listCalendars(app.db, userId), listConnections(app.db, userId)]);
  const own = new Map<string, (typeof calendars)[number]>(calendars.map((calendar) => [calendar.id, calendar]));
  const target = settings.target_calendar_id;
  if (target !== null && own.get(target)?.writable !== true)
    throw refused('target_calendar_id', 'Choose one of your calendars that can be changed.');
  if (settings.blocking_calendar_ids?.some((id) => !own.has(id)))
    throw refused('blocking_calendar_ids', 'One of these calendars is not yours.');
  const { kind: place } = settings.location;
  if (place !== 'google-meet' && place !== 'teams') return;
  const makes = (one: (typeof calendars)[number]) => {
    const connection = connections.find(({ id }) => id === one.connectionId);
    return one.writable && !one.removed && connection !== undefined && makesConference(one, connection, place);
  };
  if (!calendars.some(makes)) {
    const isConnected = connections.some((one) => capabilitiesOf(one).conference === place);
    throw refused(
      'location',
      isConnected ? makesNone[place] : `Connect ${makerNames[place]} first. It creates the video meeting.`,
    );
  }
  const chosen = target === null ? undefined : own.get(target);
  if (chosen !== undefined && !makes(chosen))
    throw refused('target_calendar_id', `Choose a ${makerNames[place]} calendar. The video meeting is created there.`);
}

const notOfATeam = "Team event types use each host's own calendars.";
const makerNames = { 'google-meet': 'a Google account', teams: 'a Microsoft account' };

/** Said where the account is there, but its organisation or kind has no such meetings. */
const makesNone = {
  'google-meet':
    'None of your Google calendars can create a Meet link. Your organization may have turned Meet off, or the calendar is only shared with you.',
  teams: 'None of your Microsoft calendars can create a Teams meeting. Connect a work or school account.',
};

function refused(field: keyof TypeSettings, message: string): AppError {
  return new AppError('invalid', 'INVALID', message, { fields: { [`settings.${field}`]: message } });
}
