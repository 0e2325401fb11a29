import type { AppointmentId, BookingId } from '#kernel/ids.ts';
import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import { printLocalDate } from '#kernel/time/local.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { App } from '#platform/app.ts';
import type { PublicType } from '../find-public-type.ts';
import { listSlots } from '../list-slots.ts';
import { rangeOfMonth } from '../rules/month-days.ts';
import { startWindow } from '../rules/start-window.ts';

/** The bookable times of a page. *Units*: epoch minutes. */
export interface Offers {
  /** The one asked for; where none was, the first that has a time. */
  month: string;
  months: { first: string; last: string };
  starts: number[];
  recommended: number[];
  next: number | null;
  seatsLeft: number[] | null;
  withheld: boolean;
}

interface Asked {
  duration: number;
  month: string | null;
  nowMs: number;
  /** The visitor's. */
  zone: Zone;
  /** Being moved, or reserved by the visitor. */
  without?: AppointmentId | undefined;
  /** The visitor's held seat in a group. */
  withoutHold?: BookingId | undefined;
}

/** A phone shows the next days in a row: late in a month those of the next one too. */
const leastMs = 21 * dayMs;

/** The starts of a month around a visitor, in a constant number of queries. */
export async function listOffers(app: Pick<App, 'db' | 'clock'>, found: PublicType, asked: Asked): Promise<Offers> {
  const { nowMs, zone } = asked;
  const months = monthsOf(found, asked);
  const month = clamp(asked.month ?? months.first, months);
  const list = (one: string) => {
    const { from, to } = rangeOfMonth(one);
    const startMs = Math.max(from * minuteMs, nowMs);
    return listSlots(app, {
      found,
      range: { startMs, endMs: Math.max(to * minuteMs, startMs + leastMs) },
      durationMinutes: asked.duration,
      guestZone: zone.id,
      ...(asked.without === undefined ? {} : { without: asked.without }),
      withoutHold: asked.withoutHold,
    });
  };
  let shown = month;
  let offer = await list(month);
  const first = offer.starts[0] ?? offer.next;
  if (asked.month === null && first !== null) {
    shown = clamp(monthAt(first, zone), months);
    if (offer.starts.length === 0) offer = await list(shown);
  }
  return {
    month: shown,
    months,
    starts: offer.starts.map(toMinute),
    recommended: offer.recommended.map(({ startMs }) => toMinute(startMs)),
    next: offer.next === null ? null : toMinute(offer.next),
    seatsLeft: offer.seatsLeft,
    withheld: offer.withheld,
  };
}

const toMinute = (ms: number) => Math.round(ms / minuteMs);
const monthAt = (ms: number, zone: Zone) => printLocalDate(zone.toLocal(ms)).slice(0, 7);

function monthsOf({ host, type, link }: PublicType, { nowMs, zone }: Asked): { first: string; last: string } {
  const window = startWindow(type.settings.window, host.zone, nowMs);
  const starts = link?.starts?.toSorted((one, other) => one - other);
  const firstMs = Math.max(starts?.[0] ?? window.startMs, nowMs);
  const lastMs = Math.max(starts?.at(-1) ?? window.endMs - 1, firstMs);
  return { first: monthAt(firstMs, zone), last: monthAt(lastMs, zone) };
}

const clamp = (month: string, { first, last }: { first: string; last: string }) =>
  month < first ? first : month > last ? last : month;
