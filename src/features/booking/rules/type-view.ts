import type * as z from 'zod/mini';
import type { EventTypeId } from '#kernel/ids.ts';
import type { eventTypeShape } from './type-endpoints.ts';
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
  settings: TypeSettings;
  updatedMs: number;
}

/** An event type as its person sees it. `profileUrl` is where their handle leads. */
export function toTypeView(type: Shown, profileUrl: string | null): z.output<typeof eventTypeShape> {
  const { id, slug, title, description, kind, hidden, secret, version, settings } = type;
  const url = secret || profileUrl === null ? null : `${profileUrl}/${slug}`;
  return { id, slug, title, description, kind, hidden, secret, url, version, settings, updated_at: type.updatedMs };
}
