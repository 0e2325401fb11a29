import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { asFollowUp, guestMail, hostMail, invitedMail } from '../mail.ts';
import { isEnd } from '../mail-facts.ts';
import { formerTime } from '../rules/moving.ts';
import { type ToldBooking, type ToldHost, withoutLink } from '../rules/told-booking.ts';
import { changeSince, isOver, type KnownVersion, type Telling, type Version, whoIsTold } from '../rules/who-is-told.ts';
import type { MailsInTurn } from '../send-told.ts';

/** Several times that are told of together: the first one's, with the hosts of each. */
export function mergeVersions<V extends Version>(versions: readonly V[]): V | null {
  const [first] = versions;
  if (first === undefined) return null;
  const invited = versions.some((one) => (one as Partial<KnownVersion>).invited === true);
  return { ...first, hostIds: [...new Set(versions.flatMap(({ hostIds }) => hostIds))], invited };
}

/** The time that its people knew, and the effect on their calendars. */
export function differenceOf(
  { startMs, endMs, together }: ToldBooking,
  known: KnownVersion | null,
  { booker, calendar }: Telling,
): Pick<ToldBooking, 'before' | 'calendar'> {
  const held = known ?? { startMs, endMs };
  const former = formerTime(known, startMs);
  const isFirstRequest = former === null && booker === 'rescheduled-pending' && held.startMs !== startMs;
  return {
    before:
      together.length > 1
        ? null
        : former !== null
          ? { ...former, wasBooked: true }
          : isFirstRequest
            ? { startMs: held.startMs, endMs: held.endMs, wasBooked: false }
            : null,
    calendar:
      calendar === 'cancel'
        ? { method: 'cancel', startMs: held.startMs, endMs: held.endMs }
        : calendar === null
          ? null
          : { method: 'invite' },
  };
}

export function lostOf(known: KnownVersion | null, now: Version): ToldBooking['lost'] {
  if (known?.invited !== true || now.state === 'confirmed') return null;
  return known.state === 'confirmed' ? 'now' : 'earlier';
}

/** Readers who hold no invitation although others do, and a change as they are told of it: as an invitation, if at all. */
export interface Lapsed {
  addresses: ReadonlySet<string>;
  telling: Telling;
}

/** The same mail as one that ends an invitation, which no limit keeps back; null where the booking, or its series, goes on. */
export function endOf(
  { series }: ToldBooking,
  mail: MailMessage,
  { known, now }: { known: KnownVersion | null; now: Version },
): MailMessage | null {
  const isWhole = series === null || series.times.every(({ stands }) => !stands);
  if (known?.invited !== true || !isOver(now.state) || !isWhole || mail.unproved === undefined) return null;
  return { ...mail, unproved: { ...mail.unproved, as: 'owed' } };
}

export const tellingOf = (holds: KnownVersion, now: Version) =>
  whoIsTold({ what: changeSince(holds, now), by: null, known: holds, now });

export const settingOf = ({ config, mail, clock }: App) => ({
  publicUrl: config.publicUrl,
  from: mail.from.address,
  nowMs: clock.nowMs(),
});

/**
 * The mails of a telling. `left`: those of its hosts who were hosts of what is `known`. `waiting`: readers who hold another
 * version than that.
 */
export function mailsOf(
  app: App,
  { booker, brought, hosts }: Telling,
  told: ToldBooking,
  {
    known,
    now,
    left,
    lapsed,
    waiting = new Map(),
  }: {
    known: KnownVersion | null;
    now: Version;
    left: readonly ToldHost[];
    lapsed: Lapsed;
    waiting?: ReadonlyMap<string, KnownVersion>;
  },
): MailsInTurn {
  const setting = settingOf(app);
  const team = [told.host, ...told.others];
  const asNew = { ...told, before: null, ...(lapsed.telling.calendar === null ? { calendar: null } : {}) };
  // a reader without an invitation, one who holds an older version of it, and all others
  const seenBy = (address: string) => {
    const holds = waiting.get(address.toLowerCase());
    if (lapsed.addresses.has(address.toLowerCase()))
      return {
        told: asNew,
        brought: lapsed.telling.brought,
        booker: told.isCertain ? ('confirmed' as const) : lapsed.telling.booker,
        name: (mail: MailMessage) => mail,
      };
    const name = (mail: MailMessage) => (known?.invited === true ? asFollowUp(mail, told) : mail);
    if (holds === undefined) return { told, brought, booker, name };
    const telling = tellingOf(holds, now);
    const seen = { ...told, ...differenceOf(told, holds, telling), lost: lostOf(holds, now) };
    return { told: seen, brought: telling.brought, booker: telling.booker, name };
  };
  const own = seenBy(told.guest.email);
  // a booker who was not told what they did themselves is told nothing now either
  const bookers = booker === null && !lapsed.addresses.has(told.guest.email.toLowerCase()) ? null : own.booker;
  return {
    brought: told.guests.flatMap((email, number) => {
      const seen = seenBy(email);
      return seen.brought === null ? [] : [seen.name(invitedMail(seen.brought, seen.told, number, setting))];
    }),
    others: (untold) => [
      ...(bookers === null ? [] : [own.name(guestMail(bookers, { ...own.told, untold }, setting))]),
      ...hosts.flatMap(({ id, moment, isNew }) => {
        const reader = [...team, ...left].find((host) => host.id === id);
        if (reader === undefined) return [];
        const own = moment === 'handed-over' ? asHad(told, known) : timesOf(told, id, isNew);
        const seen = isEnd(moment) ? withoutLink(own) : own;
        return [hostMail(moment, { ...seen, untold }, setting, reader)];
      }),
    ],
  };
}

/** A booking as a host had it who is one no longer. */
const asHad = (told: ToldBooking, known: KnownVersion | null): ToldBooking => ({
  ...told,
  startMs: known?.startMs ?? told.startMs,
  endMs: known?.endMs ?? told.endMs,
  before: null,
  joinUrl: null,
  reason: null,
});

/** A booking as one of its hosts has it: a host of some of its times has those, and a new host knew no other time. */
function timesOf(told: ToldBooking, id: UserId, isNew: boolean): ToldBooking {
  const times = told.together.filter(({ hostIds }) => hostIds.includes(id));
  const [first] = times;
  const [host = told.host, ...others] = [told.host, ...told.others].filter((one) =>
    times.some(({ hostIds }) => hostIds.includes(one.id)),
  );
  const isPart = first !== undefined && times.length < told.together.length;
  const own = isPart ? { ...first, together: times, date: null, host, others } : {};
  return { ...told, ...own, ...(isNew ? { before: null } : {}) };
}
