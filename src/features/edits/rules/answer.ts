import type { Core, RecId, SelfResponse } from '#kernel/event.ts';
import { type EditableBody, instanceOf, type Scope } from './event.ts';
import { isSameStart } from './event-time.ts';
import { hasSameTime, type Merged } from './merge.ts';
import { EditRefused } from './refusal.ts';
import { bounded } from './series.ts';
import type { Step } from './steps.ts';

export type AnswerWord = Extract<SelfResponse, 'accepted' | 'tentative' | 'declined'>;

/** The part of an invitation that is answered: an instance by name, or '' for the event or what all instances share. */
type Part = RecId | '';

/** An event after its owner answered, and what of it was answered. *Errors*: EditRefused. */
export function answerEvent(
  body: EditableBody,
  recId: Part,
  { answer: self, scope, setsBusy }: { answer: AnswerWord; scope: Exclude<Scope, 'following'>; setsBusy: boolean },
  calendarZone: string,
): { after: EditableBody; parts: Part[] } {
  const said = (core: Core): Core => ({ ...core, ...(setsBusy ? { busy: busyAfter(core, self) } : {}), self });
  if (body.kind === 'single') return { after: { ...body, core: said(body.core) }, parts: [''] };
  if (scope === 'this') {
    const instance = instanceOf(body, recId, calendarZone);
    const overrides = { ...body.overrides, [recId]: { ...instance, core: said(instance.core) } };
    return { after: bounded({ ...body, overrides }), parts: [recId] };
  }
  const overrides = { ...body.overrides };
  const parts: Part[] = [''];
  for (const [name, one] of Object.entries(overrides)) {
    // not invited to this one
    if (!isInvited(one.core.self)) continue;
    overrides[name] = { ...one, core: said(one.core) };
    parts.push(name);
  }
  return { after: { ...body, core: said(body.core), overrides }, parts };
}

const isInvited = (self: SelfResponse): boolean => self !== 'none' && self !== 'organizer';

/** As Outlook shows the event once it is answered; what is no time of the owner's stays so. */
function busyAfter({ busy }: Core, self: AnswerWord): Core['busy'] {
  if (self === 'tentative') return 'tentative';
  return self === 'declined' ? 'free' : busy === 'tentative' || busy === 'free' ? 'busy' : busy;
}

/**
 * An answer on what stands now. It was given to an event at a time: at another time, or where the owner has answered
 * otherwise meanwhile, it is theirs to decide. All else may have changed.
 */
export function mergeAnswer({ before, after, answer }: Step, current: EditableBody): Merged {
  if (answer === undefined || before === null || after === null) throw new Error('this step answers nothing');
  const merged = withAnswers(current, after, answer.parts);
  if (merged === null || before.kind !== current.kind) return { kind: 'conflict', parts: ['start'] };
  const [was, wanted, is] = [before, after, current].map((body) => (part: Part) => instanceIn(body, part));
  const parts = answer.parts.filter((part) => {
    const [a, b, c] = [was?.(part), wanted?.(part), is?.(part)];
    if (a == null || b == null || c == null) return true;
    if (!hasSameTime(a, c)) return true;
    return c.core.self !== b.core.self && c.core.self !== a.core.self;
  });
  if (parts.length > 0) return { kind: 'conflict', parts };
  const isDone = answer.parts.every((part) => is?.(part)?.core.self === wanted?.(part)?.core.self);
  return isDone ? { kind: 'done' } : { kind: 'write', after: merged };
}

/** The answers of one body in another; null where it lacks an instance, or asks its owner nothing. */
export function withAnswers(current: EditableBody, said: EditableBody, parts: readonly Part[]): EditableBody | null {
  let body = current;
  for (const part of parts) {
    const is = instanceIn(body, part);
    const self = instanceIn(said, part)?.core.self;
    if (is === null || self === undefined || !isInvited(is.core.self)) return null;
    // an instance that floats has the length that its own calendar gave it when it was answered
    const answered = said.kind === 'series' ? said.overrides[part]?.when : undefined;
    const isPlain = current.kind === 'series' && current.overrides[part] === undefined;
    const when = isPlain && answered !== undefined && isSameStart(answered, is.when) ? answered : is.when;
    const one = { when, core: { ...is.core, self } };
    if (part === '') body = { ...body, core: one.core };
    else if (body.kind === 'series') body = { ...body, overrides: { ...body.overrides, [part]: one } };
  }
  return body;
}

/** The event, or the instance of that name; null where there is none. */
export function instanceIn(body: EditableBody, part: Part): Pick<EditableBody, 'when' | 'core'> | null {
  if (part === '') return body;
  if (body.kind === 'single' || body.exdates.includes(part)) return null;
  try {
    return instanceOf(body, part);
  } catch (error) {
    if (error instanceof EditRefused) return null;
    throw error;
  }
}

/** The step again, over what its owner or the organizer made of the event meanwhile; null: nothing is to be answered. */
export function overwriteAnswer(step: Step, theirs: EditableBody): Step | null {
  const after =
    step.after === null || step.answer === undefined ? null : withAnswers(theirs, step.after, step.answer.parts);
  return after === null ? null : { ...step, before: theirs, after };
}
