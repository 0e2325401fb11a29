import type { BookingChange, BookingState } from '#features/booking/rules/booking-states.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import type { Action } from './action.ts';
import { type Definition, isTimed, type Trigger } from './definition.ts';

/** The facts of a booking that decide about its runs. Times are epoch ms, zones IANA. */
export interface Matter {
  state: BookingState;
  sequence: number;
  eventTypeId: EventTypeId | null;
  startMs: number;
  endMs: number;
  guestZone: string;
  hostZone: string;
  guestNoShow: boolean;
  hostNoShow: boolean;
  /** Whether it is the first of the bookings made together. */
  isFirst: boolean;
  /** Whether it ended in one act with others of those, and is not the first of them. */
  isAlongside: boolean;
}

/** An entry of the booking's history. */
export interface Happening {
  what: BookingChange;
  byHost: boolean;
  from: BookingState | null;
}

/** The triggers that something begins: what nobody was told of before is no news when it ends. */
export function triggersOf({ what, byHost, from }: Happening, matter: Matter): Trigger[] {
  switch (what) {
    case 'requested':
      return ['booking-requested'];
    case 'confirmed':
      return byHost ? ['booking-created', 'booking-confirmed'] : ['booking-created'];
    case 'declined':
      return ['booking-rejected'];
    case 'cancelled':
      return from === 'awaiting-mail' ? [] : ['booking-cancelled'];
    case 'rescheduled':
      return matter.state === 'awaiting-mail' ? [] : ['booking-rescheduled'];
    case 'no-show':
      return matter.guestNoShow || matter.hostNoShow ? ['no-show'] : [];
    default:
      return [];
  }
}

/** Why a step is not wanted. */
export type Unwanted =
  | 'cancelled'
  | 'not-confirmed'
  | 'answered'
  | 'overtaken'
  | 'taken-back'
  | 'filtered'
  | 'paused'
  | 'edited'
  | 'together';

const certain = (state: BookingState): Unwanted | null =>
  state === 'confirmed' ? null : state === 'cancelled' ? 'cancelled' : 'not-confirmed';

/** Why nothing may be done about a booking as it stands; null: it may. */
export function unwantedFor(trigger: Trigger, matter: Matter): Unwanted | null {
  const { state } = matter;
  switch (trigger) {
    case 'booking-cancelled':
      return state === 'cancelled' ? null : 'taken-back';
    case 'booking-rejected':
      return state === 'declined' ? null : 'taken-back';
    case 'booking-requested':
      return state === 'pending' ? null : state === 'cancelled' ? 'cancelled' : 'answered';
    case 'booking-rescheduled':
      return state === 'pending' ? null : certain(state);
    case 'no-show':
      return certain(state) ?? (matter.guestNoShow || matter.hostNoShow ? null : 'taken-back');
    default:
      return certain(state);
  }
}

export const isFiltered = ({ filter }: Definition, { eventTypeId }: Pick<Matter, 'eventTypeId'>) =>
  filter.event_type_ids !== null && (eventTypeId === null || !filter.event_type_ids.includes(eventTypeId));

/** People get one message for bookings made or ended together. Records (CRM) get one for each. */
export const isTogether = (trigger: Trigger, { kind }: Action, { isFirst, isAlongside }: Matter) =>
  kind !== 'push-to-crm' &&
  (trigger === 'booking-cancelled' || trigger === 'booking-rejected'
    ? isAlongside
    : !isFirst &&
      (trigger === 'booking-created' || trigger === 'booking-requested' || trigger === 'booking-confirmed'));

/** Triggers that happen once have one occurrence. Repeatable ones are numbered by the booking's sequence. */
export const occurrenceOf = (trigger: Trigger, { sequence }: Matter) =>
  trigger === 'booking-requested' || trigger === 'booking-confirmed' || trigger === 'booking-rescheduled'
    ? sequence
    : 0;

/** The time that a step is planned by; null where it follows a change. */
export const aboutMs = (trigger: Trigger, { startMs, endMs }: Pick<Matter, 'startMs' | 'endMs'>) =>
  isTimed(trigger) ? (trigger === 'before-event' ? startMs : endMs) : null;

/** The zone of whom a step is for; null where it is for nobody in particular. */
export function zoneOf(action: Action, { guestZone, hostZone }: Pick<Matter, 'guestZone' | 'hostZone'>): string | null {
  if (action.kind !== 'send-email' && action.kind !== 'send-sms') return null;
  return action.to === 'guest' || action.to === 'guests' ? guestZone : hostZone;
}
