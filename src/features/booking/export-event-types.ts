import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { findBlocked } from './store/blocked-guests.ts';
import { listTypes } from './store/event-type-rows.ts';
import { findHandleOf, listResting } from './store/handles.ts';
import { listHostings } from './store/hosts.ts';
import { listLinks } from './store/links.ts';

/** Handles, event types and links; no link as it is called, for whoever reads it could book. */
export function exportEventTypes({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('event-types.json', async () => ({
      handle: await findHandleOf(db, userId),
      handlesGivenUp: await listResting(db, userId),
      eventTypes: (await listTypes(db, userId)).map(
        ({ id, slug, title, description, kind, hidden, secret, settings, version, updatedMs }) => ({
          id,
          slug,
          title,
          description,
          kind,
          hidden,
          secret,
          settings,
          version,
          updatedMs,
        }),
      ),
      blockedGuests: await findBlocked(db, userId),
      hostOf: await listHostings(db, userId),
      links: (await listLinks(db, userId, null)).map(
        ({ id, eventTypeId, kind, label, connectionId, calendarId, starts, durationMinutes, usesLeft, expiresMs }) => ({
          id,
          eventTypeId,
          kind,
          label,
          connectionId,
          calendarId,
          starts,
          durationMinutes,
          usesLeft,
          expiresMs,
        }),
      ),
    })),
  ];
}
