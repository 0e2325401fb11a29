import type { TeamId, WorkflowId } from '#kernel/ids.ts';
import type { Definition } from './definition.ts';
import type { WorkflowView } from './workflow-endpoints.ts';

interface Shown {
  id: WorkflowId;
  teamId: TeamId | null;
  name: string;
  tags: string[];
  active: boolean;
  version: number;
  definition: Definition;
  updatedMs: number;
}

/** A workflow as its person sees it, with how many of its runs wait or were given up. */
export function toWorkflowView(
  { id, teamId, name, tags, active, version, definition, updatedMs }: Shown,
  { planned, dead }: { planned: number; dead: number } = { planned: 0, dead: 0 },
): WorkflowView {
  return {
    id,
    team_id: teamId,
    name,
    tags,
    active,
    version,
    definition,
    updated_at: updatedMs,
    waiting: planned,
    given_up: dead,
  };
}
