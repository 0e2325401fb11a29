import type { BookingId, EventTypeId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { RequestFacts } from '#platform/routes.ts';

/** A visitor's action on the page of an event type. */
export interface VisitSign {
  what: 'viewed' | 'chosen' | 'submitted';
  eventTypeId: EventTypeId;
  hostIds: readonly UserId[];
  /** The resulting booking. */
  bookingId?: BookingId | undefined;
  request: Visitor;
}

export type Visitor = Pick<RequestFacts, 'ip'> & Partial<Pick<RequestFacts, 'userAgent' | 'onlooker'>>;

/** Takes a sign and returns at once: what is done with it is done later, and fails for itself. */
export type KeepVisit = (app: Pick<App, 'db' | 'clock' | 'log' | 'keyring'>, sign: VisitSign) => void;

const nobody: KeepVisit = () => undefined;
let keep = nobody;

/** Filled once, when the process starts, by the feature below that counts visits; null: by nobody. */
export function fillVisitKeeper(keeper: KeepVisit | null): void {
  keep = keeper ?? nobody;
}

export const noteVisit: KeepVisit = (app, sign) => keep(app, sign);
