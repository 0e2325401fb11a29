import type { ActionKind } from './action.ts';
import type { Definition } from './definition.ts';

/** The changes from one version to the next, in the order of the page. */
export type VersionChange =
  | { what: 'trigger' | 'timing' | 'filter' | 'exceptions' | 'order' }
  /** `n` from 1: its place in the version that has it. */
  | { what: 'added' | 'removed' | 'changed'; n: number; kind: ActionKind };

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

export function compareVersions(before: Definition, after: Definition): VersionChange[] {
  const changes: VersionChange[] = [];
  if (before.trigger !== after.trigger) changes.push({ what: 'trigger' });
  if (!isSame(before.offset, after.offset)) changes.push({ what: 'timing' });
  if (!isSame(before.filter, after.filter)) changes.push({ what: 'filter' });
  const exceptions = ({ if_past, if_late, quiet_hours: quiet }: Definition) => [
    if_past,
    if_late,
    quiet?.from,
    quiet?.to,
  ];
  if (!isSame(exceptions(before), exceptions(after))) changes.push({ what: 'exceptions' });
  const had = new Map(before.steps.map((step) => [step.id, step]));
  const has = new Set(after.steps.map(({ id }) => id));
  for (const [at, { id, action }] of before.steps.entries())
    if (!has.has(id)) changes.push({ what: 'removed', n: at + 1, kind: action.kind });
  for (const [at, { id, action }] of after.steps.entries()) {
    const old = had.get(id);
    if (old === undefined) changes.push({ what: 'added', n: at + 1, kind: action.kind });
    else if (!isSame(sorted(old.action), sorted(action)))
      changes.push({ what: 'changed', n: at + 1, kind: action.kind });
  }
  const kept = ({ steps }: Definition) => steps.flatMap(({ id }) => (had.has(id) && has.has(id) ? [id] : []));
  if (!isSame(kept(before), kept(after))) changes.push({ what: 'order' });
  return changes;
}

/** The database keeps no order of keys. */
const sorted = (action: object) => Object.entries(action).toSorted(([a], [b]) => (a < b ? -1 : 1));
