import type { EventType, Settings, TypeChange } from './queries.ts';

/** What the editor changes: an event type without what the server says of it. */
export type TypeDraft = Omit<TypeChange, 'version'>;

export function draftOf({ title, slug, description, hidden, secret, settings, team_id, hosts }: EventType): TypeDraft {
  return { title, slug, description, hidden, secret, settings, ...(team_id === null ? {} : { hosts }) };
}

export const isSameDraft = (one: TypeDraft, other: TypeDraft) => JSON.stringify(one) === JSON.stringify(other);

/** A part of the editor: the settings as they stand, and how to change some. */
export interface SectionProps {
  settings: Settings;
  onChange: (patch: Partial<Settings>) => void;
  /** What the server refused, by the path of the field. */
  errors: Readonly<Record<string, string>>;
}
