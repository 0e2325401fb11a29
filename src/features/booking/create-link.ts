import { randomUUIDv7 } from 'node:crypto';
import { findConnection, listCalendars } from '#features/connections/public.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { BookingLinkId, EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import type { bookingContract } from './contract.ts';
import { typesTopic } from './events.ts';
import { keepType } from './keep-type.ts';
import { type LinkView, toLinkView } from './list-links.ts';
import { loadType } from './load-type.ts';
import { lockOwn } from './require-own.ts';
import { linkPlace } from './rules/booking-address.ts';
import { defaultSettings } from './rules/type-settings.ts';
import { findType, listTypes } from './store/event-type-rows.ts';
import { countLinks, findLinkOf, keepLink, type NewLink } from './store/links.ts';

type Wanted = Input<typeof bookingContract.createBookingLink>['body'];
type Terms = Pick<
  NewLink,
  'label' | 'connectionId' | 'calendarId' | 'starts' | 'durationMinutes' | 'usesLeft' | 'expiresMs'
>;

const mostLinks = 1_000;

/**
 * Makes a link. An account and a calendar have one each: asked for again, it is given again.
 * *Errors*: AppError not-found, invalid (`NOT_WRITABLE`, `PAST`), conflict (`TOO_MANY`).
 */
export async function createLink(app: App, actor: Actor, wanted: Wanted): Promise<LinkView> {
  const type = wanted.event_type_id === undefined ? null : await loadType(app.db, actor, wanted.event_type_id);
  const terms = await readTerms(app, actor, wanted);
  return inTransaction(app.db, async (tx) => {
    if (type !== null) await lockOwn(tx, actor, type);
    const before = await findBefore(tx, terms);
    const eventTypeId =
      wanted.event_type_id ?? (await isThere(tx, before?.eventTypeId)) ?? (await firstType(tx, actor));
    if (before === null && (await countLinks(tx, actor.userId)) >= mostLinks)
      throw new AppError(
        'conflict',
        'TOO_MANY',
        `You can have up to ${mostLinks} links. Close one you no longer need.`,
      );
    const id = before?.id ?? (randomUUIDv7() as BookingLinkId);
    const token = mintToken();
    const sealed = app.keyring.seal(token, linkPlace(id));
    const link = await keepLink(
      tx,
      { id, userId: actor.userId, eventTypeId, kind: wanted.kind, token: sealed, ...terms },
      hashToken(token),
    );
    await app.feed.publish(tx, actor.userId, typesTopic);
    return toLinkView(app, link, (await findType(tx, link.eventTypeId))?.title ?? '');
  });
}

const noTerms: Terms = {
  label: '',
  connectionId: null,
  calendarId: null,
  starts: null,
  durationMinutes: null,
  usesLeft: null,
  expiresMs: null,
};

async function readTerms(app: App, actor: Actor, wanted: Wanted): Promise<Terms> {
  const nowMs = app.clock.nowMs();
  switch (wanted.kind) {
    case 'private':
      if (wanted.expires_at !== null && wanted.expires_at <= nowMs)
        throw past('The expiry date has passed. Choose a later one.');
      return { ...noTerms, label: wanted.label?.trim() ?? '', usesLeft: wanted.uses, expiresMs: wanted.expires_at };
    case 'times': {
      const starts = wanted.starts.toSorted((one, other) => one - other);
      if ((starts[0] ?? 0) <= nowMs) throw past('One of these times has passed. Remove it and share the others.');
      return { ...noTerms, starts, durationMinutes: wanted.duration_minutes, usesLeft: wanted.uses };
    }
    case 'account': {
      const connection = await findConnection(app.db, actor, wanted.account_id);
      if (connection === null) throw new AppError('not-found', 'NOT_FOUND', 'Account not found.');
      const calendars = await listCalendars(app.db, actor.userId);
      if (!calendars.some((one) => one.connectionId === connection.id && one.writable && !one.removed))
        throw notWritable(`All calendars of ${connection.label} are read-only, so they can't take bookings.`);
      return { ...noTerms, connectionId: connection.id };
    }
    case 'calendar': {
      const calendar = (await listCalendars(app.db, actor.userId)).find(({ id }) => id === wanted.calendar_id);
      if (calendar === undefined) throw new AppError('not-found', 'NOT_FOUND', 'Calendar not found.');
      if (!calendar.writable || calendar.removed)
        throw notWritable(`${calendar.name} is read-only, so it can't take bookings.`);
      return { ...noTerms, calendarId: calendar.id };
    }
  }
}

function findBefore(tx: Tx, { connectionId, calendarId }: Terms) {
  if (connectionId !== null) return findLinkOf(tx, { connectionId });
  return calendarId === null ? Promise.resolve(null) : findLinkOf(tx, { calendarId });
}

/** Unless it was deleted. */
async function isThere(tx: Tx, id: EventTypeId | undefined): Promise<EventTypeId | undefined> {
  return id !== undefined && (await findType(tx, id)) !== null ? id : undefined;
}

/** Returns the person's first event type, or creates one of 30 minutes. */
async function firstType(tx: Tx, { userId }: Actor): Promise<EventTypeId> {
  const [first] = await listTypes(tx, userId);
  if (first !== undefined) return first.id;
  const settings = defaultSettings('one-on-one');
  const plain = { description: '', kind: 'one-on-one', slug: undefined, hidden: false, secret: false } as const;
  return keepType(tx, { userId, teamId: null, title: '30 minute meeting', settings, ...plain });
}

const past = (message: string) => new AppError('invalid', 'PAST', message);
const notWritable = (message: string) => new AppError('invalid', 'NOT_WRITABLE', message);
