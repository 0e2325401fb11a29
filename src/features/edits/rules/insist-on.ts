import type { EditableBody } from './change-event.ts';
import { imposeEdit } from './merge-edit.ts';
import type { Step } from './steps.ts';

/** A step that met a change of somebody else's, as it is written over what stands now; the rest of theirs stays. */
export function insistOn(step: Step, theirs: EditableBody): Step {
  if (step.after === null || step.before === null) return { ...step, before: theirs };
  return { ...step, before: theirs, after: imposeEdit(step.before, step.after, theirs) };
}
