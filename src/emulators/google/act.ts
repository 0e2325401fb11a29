import { minuteMs } from '#kernel/time/civil.ts';
import { type Announcing, announceEvents, announceList } from './announce.ts';
import { dropCalendar } from './answer-calendars.ts';
import { finishConference } from './conference.ts';
import { find } from './find-event.ts';
import { movePatch, splitSeries } from './reschedule.ts';
import { type SeedEvent, seedEvent, stampOf } from './seed.ts';
import { type Attendee, type StoredEvent, storeEvent } from './stored-event.ts';
import { type AccessRole, type Calendar, listCalendar, type User, type World } from './world.ts';
import { type By, type EventBody, insertEvent, patchEvent, removeEvent, writableOf } from './write-event.ts';

/** `pick`: an id, an iCalUID, a summary, or a position among the live events. `at`: an instance's original start. */
type Pick = { pick: string | number };
type Instance = Pick & { at?: string };

/** Actions of a person in Google Calendar or in the Google account, and of Google itself. */
export type ActCommand = { account: string; calendar?: string } & (
  | { do: 'create'; event: SeedEvent }
  | ({ do: 'edit'; patch: EventBody; by?: By } & Instance)
  | ({ do: 'move'; minutes: number; by?: By } & Instance)
  | ({ do: 'delete' } & Instance)
  | ({ do: 'respond'; response: NonNullable<Attendee['responseStatus']> } & Instance)
  /** "This and following events" from the instance on. */
  | ({ do: 'split'; at: string; patch: EventBody } & Pick)
  /** Google has made the conference of an event that was pending. */
  | ({ do: 'make-conference' } & Pick)
  /** Duplicates an event by hand, private properties and all. */
  | ({ do: 'copy' } & Pick)
  | { do: 'share'; with: string; role: AccessRole }
  | { do: 'set-role'; role: AccessRole }
  | { do: 'unshare' }
  | { do: 'delete-calendar' }
  | { do: 'hide'; hidden: boolean }
  /** Sync tokens of the calendar become invalid, as after a migration of its storage. */
  | { do: 'expire-sync-tokens' }
  | { do: 'expire-channels' }
  | { do: 'revoke-access' }
  | { do: 'expire-access-tokens' }
  | { do: 'require-reauth'; on: boolean }
  /** Takes scopes away from what was granted, by their short names (`calendar.events`). */
  | { do: 'remove-scopes'; scopes: string[] }
);

export interface Acted {
  /** The event that was made or changed. */
  id: string | null;
  etag: string | null;
}

export function act(world: World, command: ActCommand, moment: Announcing): Acted {
  const user = world.users.get(command.account);
  if (!user) throw new Error(`no account ${command.account}`);
  if (actOnAccount(world, user, command)) return { id: null, etag: null };
  const calendar = world.calendars.get(command.calendar ?? user.email);
  if (!calendar) throw new Error(`no calendar ${command.calendar}`);
  if (actOnCalendar(world, user, calendar, command, moment)) return { id: null, etag: null };
  const { id, etag } = actOnEvents(world, user, calendar, command, moment.nowMs);
  announceEvents(world, calendar, moment);
  return { id, etag };
}

function actOnAccount(world: World, user: User, command: ActCommand): boolean {
  const grants = world.grants.filter((grant) => grant.user === user.email);
  switch (command.do) {
    case 'revoke-access':
      for (const grant of grants) grant.revoked = true;
      return true;
    case 'expire-access-tokens':
      for (const token of world.accessTokens.values()) if (grants.includes(token.grant)) token.expiresAtMs = 0;
      return true;
    case 'require-reauth':
      user.mustReauthenticate = command.on;
      return true;
    case 'remove-scopes': {
      const isGone = (name: string) =>
        command.scopes.some((short) => name === short || name.endsWith(`/auth/${short}`));
      for (const grant of grants) for (const name of grant.scopes) if (isGone(name)) grant.scopes.delete(name);
      for (const token of world.accessTokens.values()) {
        if (grants.includes(token.grant)) token.scopes = token.scopes.filter((name) => !isGone(name));
      }
      return true;
    }
    default:
      return false;
  }
}

function actOnCalendar(world: World, user: User, calendar: Calendar, command: ActCommand, moment: Announcing): boolean {
  switch (command.do) {
    case 'share': {
      const other = world.users.get(command.with);
      calendar.roles.set(command.with, command.role);
      if (other) relist(world, other, calendar, moment, { deleted: false });
      return true;
    }
    case 'set-role':
      calendar.roles.set(user.email, command.role);
      // A change of access ends every sync token. Source: "Synchronize resources efficiently".
      calendar.epoch += 1;
      relist(world, user, calendar, moment);
      return true;
    case 'unshare':
      calendar.roles.delete(user.email);
      calendar.epoch += 1;
      relist(world, user, calendar, moment, { deleted: true });
      return true;
    case 'delete-calendar':
      dropCalendar({ world, moment }, calendar);
      return true;
    case 'hide':
      relist(world, user, calendar, moment, { hidden: command.hidden, selected: !command.hidden });
      return true;
    case 'expire-sync-tokens':
      calendar.epoch += 1;
      return true;
    case 'expire-channels':
      for (const channel of world.channels.values()) {
        if (channel.calendarId === calendar.id) channel.expiresAtMs = moment.nowMs;
      }
      return true;
    default:
      return false;
  }
}

function relist(world: World, user: User, calendar: Calendar, moment: Announcing, change = {}): void {
  listCalendar(world, user, calendar.id, change);
  announceList(world, user, moment);
}

function actOnEvents(world: World, user: User, calendar: Calendar, command: ActCommand, nowMs: number): StoredEvent {
  switch (command.do) {
    case 'create':
      return seedEvent(world, calendar, command.event, nowMs, user.email);
    case 'edit':
      return patchEvent(world, calendar, choose(calendar, command), command.patch, nowMs, command.by);
    case 'move': {
      const event = choose(calendar, command);
      return patchEvent(world, calendar, event, movePatch(event, command.minutes * minuteMs), nowMs, command.by);
    }
    case 'delete':
      return removeEvent(world, calendar, choose(calendar, command), nowMs);
    case 'respond':
      return respond(world, calendar, choose(calendar, command), command.response, nowMs);
    case 'split':
      return splitSeries(world, calendar, choose(calendar, { pick: command.pick }), {
        atId: choose(calendar, command).id,
        patch: command.patch,
        nowMs,
      });
    case 'make-conference': {
      const event = choose(calendar, command);
      return patchEvent(world, calendar, event, { conferenceData: finishConference(event) }, nowMs);
    }
    case 'copy': {
      const { status: _, sequence: __, ...body } = writableOf(choose(calendar, command));
      return insertEvent(world, calendar, body, nowMs, user.email);
    }
    default:
      throw new Error(`no act ${command.do}`);
  }
}

/** Answers an invitation. A person without one becomes an attendee. */
function respond(
  world: World,
  calendar: Calendar,
  event: StoredEvent,
  responseStatus: NonNullable<Attendee['responseStatus']>,
  nowMs: number,
): StoredEvent {
  const others = (event.fields.attendees ?? []).filter(({ email }) => email !== calendar.id);
  const own = event.fields.attendees?.find(({ email }) => email === calendar.id) ?? { email: calendar.id };
  const fields = { ...event.fields, attendees: [...others, { ...own, responseStatus }] };
  return storeEvent(world, calendar, { ...event, fields, updatedMs: nowMs });
}

function choose(calendar: Calendar, { pick, at }: Instance): StoredEvent {
  const live = [...calendar.events.values()].filter(({ status }) => status !== 'cancelled');
  const whole = live.filter(({ recurringEventId }) => recurringEventId === null);
  const event =
    typeof pick === 'number'
      ? whole[pick]
      : (live.find(({ id }) => id === pick) ??
        whole.find(({ iCalUID, fields }) => iCalUID === pick || fields.summary === pick));
  if (!event && typeof pick === 'string' && pick.includes('_')) return find(calendar, pick);
  if (!event) throw new Error(`no event ${pick} in ${calendar.id}`);
  return at === undefined ? event : find(calendar, `${event.id}_${stampOf(at, calendar.timeZone)}`);
}
