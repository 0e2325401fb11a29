import { hash } from 'node:crypto';
import type { Deliveries } from '#emulators/kit/deliveries.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { printLocalDate } from '#kernel/time/local.ts';
import { printStamp } from './graph-time.ts';
import { type Instance, instanceOn } from './instances.ts';
import { eventId, readEventId } from './item-ids.ts';
import { announceChanges, type LifecycleEvent, post, sendLifecycle } from './notify.ts';
import { dayOf, shiftRecurrence } from './recurrence-pattern.ts';
import { addEvent, changesOf, recurrenceOf, type SeedEvent } from './seed-command.ts';
import {
  type Calendar,
  type CalendarEvent,
  type EventContent,
  type Mailbox,
  nextKey,
  putEvent,
  removeEvent,
  type World,
} from './world.ts';
import { answered, changeInstance, changeMaster, withoutInstance } from './write-events.ts';

/** An event by its key, subject, transactionId or Graph id; one instance of a series by the date of its original start. */
interface Picked {
  event: string;
  day?: string;
}

/** Actions of a person in Outlook, and on the account. */
export type ActCommand = { account: string } & (
  | { do: 'create'; calendar: string; event: SeedEvent }
  | ({ do: 'edit'; changes: Partial<SeedEvent> } & Picked)
  | ({ do: 'move'; minutes: number } & Picked)
  | ({ do: 'delete' } & Picked)
  | ({ do: 'accept' | 'tentativelyAccept' | 'decline' } & Picked)
  | { do: 'move-to-calendar'; event: string; calendar: string }
  /** Into the same or another calendar, with its extended properties: a copied mirror bears the tag of the mirror. */
  | { do: 'copy'; event: string; calendar: string }
  | { do: 'remove-calendar'; calendar: string }
  | { do: 'change-calendar'; calendar: string; canEdit?: boolean; name?: string; hexColor?: string }
  | { do: 'revoke' }
  | { do: 'expire-access-tokens' }
  | { do: 'expire-delta-tokens'; calendar?: string }
  | { do: 'reduce-scopes'; to: string[] }
  /** Tokens without the way through a browser. */
  | { do: 'grant'; scopes?: string[]; clientId?: string }
  | { do: 'lifecycle'; event: LifecycleEvent; subscription?: string }
  /** A notification made up of parts: mixed, forged or for a subscription nobody has. */
  | {
      do: 'notify';
      url: string;
      items: { subscription: string; clientState?: string; event?: string; changeType?: string }[];
    }
);

export type Acted = Record<string, unknown>;

/** When it is done, and how it becomes known. */
export interface ActMoment {
  nowMs: number;
  deliveries: Deliveries;
}

export function act(world: World, command: ActCommand, moment: ActMoment): Acted {
  const mailbox = world.mailboxes.get(command.account);
  if (!mailbox) throw new Error(`there is no mailbox ${command.account}`);
  const acted = carryOut(world, mailbox, command, moment);
  announceChanges(world, moment.deliveries, moment.nowMs);
  return acted;
}

function carryOut(world: World, mailbox: Mailbox, command: ActCommand, { nowMs, deliveries }: ActMoment): Acted {
  const { directory } = world;
  const ours = () => [...directory.refreshTokens.values()].filter(({ mailbox: owner }) => owner === mailbox.address);
  const accessTokens = () => [...directory.accessTokens].filter(([, grant]) => grant.mailbox === mailbox.address);
  switch (command.do) {
    case 'create': {
      const event = addEvent(world, mailbox, calendarNamed(mailbox, command.calendar), command.event, nowMs);
      return described(mailbox, event);
    }
    case 'edit':
    case 'move':
    case 'delete':
    case 'accept':
    case 'tentativelyAccept':
    case 'decline': {
      const { calendar, event, instance } = pick(mailbox, command);
      const next = changed(command, event, instance, nowMs);
      if (!next) {
        removeEvent(world, mailbox, calendar, event.key, nowMs);
        return described(mailbox, event);
      }
      return described(mailbox, putEvent(world, mailbox, calendar, next, nowMs));
    }
    case 'move-to-calendar': {
      const { calendar, event } = pick(mailbox, command);
      removeEvent(world, mailbox, calendar, event.key, nowMs);
      const moved = { ...event, place: event.place + 1 };
      return described(mailbox, putEvent(world, mailbox, calendarNamed(mailbox, command.calendar), moved, nowMs));
    }
    case 'copy': {
      const { event } = pick(mailbox, command);
      const copy = { ...event, key: nextKey(world, 'event'), place: 0, transactionId: null, createdAtMs: nowMs };
      return described(mailbox, putEvent(world, mailbox, calendarNamed(mailbox, command.calendar), copy, nowMs));
    }
    case 'remove-calendar':
      mailbox.calendars.delete(calendarNamed(mailbox, command.calendar).key);
      return {};
    case 'change-calendar': {
      const calendar = calendarNamed(mailbox, command.calendar);
      calendar.canEdit = command.canEdit ?? calendar.canEdit;
      calendar.name = command.name ?? calendar.name;
      calendar.hexColor = command.hexColor ?? calendar.hexColor;
      return {};
    }
    case 'revoke':
      for (const token of ours()) token.revoked = true;
      for (const [token] of accessTokens()) directory.accessTokens.delete(token);
      mailbox.consents.clear();
      return {};
    case 'expire-access-tokens':
      for (const [token] of accessTokens()) directory.accessTokens.delete(token);
      return {};
    case 'expire-delta-tokens':
      for (const calendar of mailbox.calendars.values()) {
        if (command.calendar === undefined || command.calendar === calendar.key) calendar.tokenEpoch += 1;
      }
      return {};
    case 'reduce-scopes':
      for (const token of ours()) token.scopes = command.to;
      for (const [, grant] of accessTokens()) grant.scopes = command.to;
      return {};
    case 'grant':
      return grantTokens(world, mailbox, command, nowMs);
    case 'lifecycle': {
      for (const subscription of world.subscriptions.values()) {
        if (subscription.mailbox !== mailbox.address) continue;
        if (command.subscription !== undefined && command.subscription !== subscription.id) continue;
        sendLifecycle(deliveries, subscription, mailbox.tenantId, command.event);
        if (command.event === 'subscriptionRemoved') world.subscriptions.delete(subscription.id);
        if (command.event === 'reauthorizationRequired') subscription.reauthorizeAtMs = nowMs;
      }
      return {};
    }
    case 'notify':
      post(
        deliveries,
        'notify',
        command.url,
        command.items.map((item) => notificationOf(world, mailbox, item, nowMs)),
      );
      return {};
  }
}

/** The event as it is afterwards; null where it is gone. */
function changed(
  command: ActCommand,
  event: CalendarEvent,
  instance: Instance | null,
  nowMs: number,
): CalendarEvent | null {
  const base = instance?.content ?? event.content;
  const withContent = (changes: Partial<EventContent>) =>
    instance ? changeInstance(event, instance, changes) : changeMaster(event, changes, movedPattern(event, changes));
  switch (command.do) {
    case 'edit': {
      const { changes } = command;
      const content = changesOf(changes, base);
      if (instance || !changes.repeat) return withContent(content);
      const { startLocalMs, startZone } = { ...base, ...content };
      return changeMaster(event, content, recurrenceOf(changes.repeat, printLocalDate(startLocalMs), startZone));
    }
    case 'move': {
      const shiftMs = command.minutes * 60_000;
      return withContent({ startLocalMs: base.startLocalMs + shiftMs, endLocalMs: base.endLocalMs + shiftMs });
    }
    case 'accept':
      return answered(event, instance, 'accepted', nowMs);
    case 'tentativelyAccept':
      return answered(event, instance, 'tentativelyAccepted', nowMs);
    case 'decline':
      return answered(event, instance, 'declined', nowMs);
    default:
      return instance ? withoutInstance(event, instance.day!) : null;
  }
}

/** Shifts the days of a pattern, as Outlook does when a series moves to another day. */
function movedPattern({ content, recurrence }: CalendarEvent, { startLocalMs }: Partial<EventContent>): unknown {
  if (!recurrence || startLocalMs === undefined) return undefined;
  return shiftRecurrence(recurrence, Math.floor(startLocalMs / dayMs) - Math.floor(content.startLocalMs / dayMs));
}

function calendarNamed(mailbox: Mailbox, key: string): Calendar {
  const calendar = mailbox.calendars.get(key);
  if (!calendar) throw new Error(`${mailbox.address} has no calendar ${key}`);
  return calendar;
}

function pick(
  mailbox: Mailbox,
  { event: name, day }: Picked,
): { calendar: Calendar; event: CalendarEvent; instance: Instance | null } {
  const ref = readEventId(mailbox, name);
  for (const calendar of mailbox.calendars.values()) {
    const event =
      calendar.events.get(ref?.key ?? name) ??
      [...calendar.events.values()].find((one) => one.content.subject === name || one.transactionId === name);
    if (!event) continue;
    const wanted = day === undefined ? (ref?.day ?? null) : dayOf(day);
    const instance = wanted === null ? null : instanceOn(event, wanted);
    if (wanted !== null && !instance) throw new Error(`${name} has no instance on ${day}`);
    return { calendar, event, instance };
  }
  throw new Error(`${mailbox.address} has no event ${name}`);
}

function described(mailbox: Mailbox, event: CalendarEvent): Acted {
  return { key: event.key, id: eventId(mailbox, event, null, true), regularId: eventId(mailbox, event, null, false) };
}

const everything = ['openid', 'profile', 'email', 'offline_access', 'User.Read', 'Calendars.ReadWrite'];

function grantTokens(
  world: World,
  mailbox: Mailbox,
  { scopes = everything, clientId = 'test-client' }: { scopes?: string[]; clientId?: string },
  nowMs: number,
): Acted {
  const mint = (kind: string) => `${kind}.${hash('sha256', nextKey(world, 'token'), 'base64url')}`;
  const tokens = { accessToken: mint('EwB'), refreshToken: mint('M.C5_') };
  const grant = { mailbox: mailbox.address, clientId, scopes };
  const lifeMs = world.knobs.accessTokenMinutes * 60_000;
  world.directory.accessTokens.set(tokens.accessToken, { ...grant, expiresAtMs: nowMs + lifeMs });
  world.directory.refreshTokens.set(tokens.refreshToken, {
    ...grant,
    expiresAtMs: nowMs + 90 * 86_400_000,
    revoked: false,
  });
  return tokens;
}

function notificationOf(
  world: World,
  mailbox: Mailbox,
  item: { subscription: string; clientState?: string; event?: string; changeType?: string },
  nowMs: number,
): Record<string, unknown> {
  const subscription = world.subscriptions.get(item.subscription);
  const picked = item.event === undefined ? null : pick(mailbox, { event: item.event });
  const id = picked ? eventId(mailbox, picked.event, null, true) : 'AAMkAGUnknown';
  return {
    subscriptionId: item.subscription,
    subscriptionExpirationDateTime: printStamp(subscription?.expiresAtMs ?? nowMs),
    clientState: item.clientState ?? subscription?.clientState ?? null,
    tenantId: mailbox.tenantId,
    changeType: item.changeType ?? 'updated',
    resource: `Users/${mailbox.userId}/Events/${id}`,
    resourceData: { '@odata.type': '#Microsoft.Graph.Event', '@odata.id': `Users/${mailbox.userId}/Events/${id}`, id },
  };
}
