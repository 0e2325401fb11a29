import type { EventType, Settings, TypeChange } from './queries.ts';

/** The fields of the editor: an event type without the server's own fields. */
export type TypeDraft = Omit<TypeChange, 'version'>;

export function draftOf({ title, slug, description, hidden, secret, settings, team_id, hosts }: EventType): TypeDraft {
  return { title, slug, description, hidden, secret, settings, ...(team_id === null ? {} : { hosts }) };
}

export const isSameDraft = (one: TypeDraft, other: TypeDraft) => JSON.stringify(one) === JSON.stringify(other);

/** A part of the editor: the settings as they stand, and how to change some. */
export interface SectionProps {
  settings: Settings;
  onChange: (patch: Partial<Settings>) => void;
  /** Refusals of the server, by the path of the field. */
  errors: Readonly<Record<string, string>>;
}
