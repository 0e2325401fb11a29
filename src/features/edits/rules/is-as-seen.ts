import type { Core } from '#kernel/event.ts';
import type { EditableBody } from './change-event.ts';
import { isSameField } from './event-fields.ts';
import { type Instance, instanceAt, isSameLength, isSameMoment, isSameRules, rulesOf } from './told-alike.ts';

/** Whether an event still is what somebody saw who deletes it; who answered an invitation meanwhile does not matter. */
export function isAsSeen(before: EditableBody, current: EditableBody): boolean {
  if (!isSameInstance(before, current) || !isSameRules(before.when)(rulesOf(before), rulesOf(current))) return false;
  if (before.kind === 'single' || current.kind === 'single') return true;
  const names = [before, current].flatMap(({ overrides, exdates }) => [...Object.keys(overrides), ...exdates]);
  return [...new Set(names)].every((recId) => {
    if (before.exdates.includes(recId) !== current.exdates.includes(recId)) return false;
    const [one, other] = [instanceAt(before, recId), instanceAt(current, recId)];
    return one === undefined || other === undefined ? one === other : isSameInstance(one, other);
  });
}

const fields = ['title', 'location', 'notes', 'attendees'] as const;
const isFree = ({ busy }: Core) => busy === 'free' || busy === 'elsewhere';

function isSameInstance(one: Instance, other: Instance): boolean {
  return (
    isSameMoment(one.when, other.when) &&
    isSameLength(one.when, other.when) &&
    isFree(one.core) === isFree(other.core) &&
    fields.every((field) => isSameField(field, one.core[field], other.core[field]))
  );
}
