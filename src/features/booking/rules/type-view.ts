import type * as z from 'zod/mini';
import type { EventTypeId, TeamId } from '#kernel/ids.ts';
import { givenHost } from './host-shapes.ts';
import type { eventTypeShape } from './type-endpoints.ts';
import type { TypeHost } from './type-hosts.ts';
import type { TypeKind, TypeSettings } from './type-settings.ts';

interface Shown {
  id: EventTypeId;
  slug: string;
  title: string;
  description: string;
  kind: TypeKind;
  hidden: boolean;
  secret: boolean;
  version: number;
  teamId: TeamId | null;
  hosts: readonly TypeHost[];
  settings: TypeSettings;
  lacksCalendars: boolean;
  updatedMs: number;
}

/** An event type as its person sees it. `profileUrl` is where their handle leads. */
export function toTypeView(type: Shown, profileUrl: string | null): z.output<typeof eventTypeShape> {
  const { id, slug, title, description, kind, hidden, secret, version, settings, teamId } = type;
  const url = secret || profileUrl === null ? null : `${profileUrl}/${slug}`;
  const hosts = teamId === null ? [] : type.hosts.map(givenHost);
  const shown = { id, slug, title, description, kind, hidden, secret, url, version, team_id: teamId, hosts, settings };
  return { ...shown, lacks_calendars: type.lacksCalendars, updated_at: type.updatedMs };
}
