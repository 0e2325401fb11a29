import type { FormId, TeamId } from '#kernel/ids.ts';
import type { Definition } from './form-definition.ts';
import type { FormView } from './form-endpoints.ts';

interface Shown {
  id: FormId;
  teamId: TeamId | null;
  name: string;
  description: string;
  slug: string;
  active: boolean;
  revision: number;
  type: Definition['type'];
  /** How many it has. */
  rules: number;
  changedMs: number;
}

/** The reader's permissions on a form, and the address of its owner. */
export interface Seen {
  base: string;
  handle: string | null;
  mayChange: boolean;
  maySeeAnswers: boolean;
}

export const formPath = (handle: string, slug: string) => `/${handle}/forms/${slug}`;

export function toFormView(
  form: Shown,
  { base, handle, mayChange, maySeeAnswers }: Seen,
  submissions: number,
): FormView {
  const { id, teamId, name, description, slug, active, revision, type, rules, changedMs } = form;
  return {
    id,
    team_id: teamId,
    name,
    description,
    type,
    active,
    slug,
    url: handle === null ? null : base + formPath(handle, slug),
    revision,
    rules,
    submissions,
    may_change: mayChange,
    may_see_answers: maySeeAnswers,
    updated_at: changedMs,
  };
}
