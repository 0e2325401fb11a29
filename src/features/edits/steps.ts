import type { StoredItem } from '#features/calendar/public.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { EventBody, Item } from '#kernel/event.ts';
import type { Reply } from '#kernel/itip/write-reply.ts';
import { calendarGoneCode, type EventWriter } from '#providers/port.ts';
import { mergeAnswer } from './rules/answer.ts';
import type { EditableBody } from './rules/event.ts';
import { isAsSeen, mergeEdit } from './rules/merge.ts';
import type { Step, StepAnswer } from './rules/steps.ts';

/** The result of one step, as the calendar reports it. */
export type StepResult = Told & StepOutcome;

type StepOutcome =
  | Written
  /** Nothing stands there any more; `ref` of what did. */
  | { kind: 'removed'; ref: string | null }
  /** The event has the wanted state. */
  | { kind: 'done' }
  /** Another change came first, and nothing was written. `theirs`: the current state; null if deleted. */
  | { kind: 'conflict'; theirs: EditableBody | null };

interface Told {
  /** A mail that the organizer must get about an answer. */
  reply?: Reply | null;
}

export interface Written {
  kind: 'written';
  item: Item;
  /** The version it was written over; null for a new event. */
  over: string | null;
}

interface Subject {
  events: EventWriter;
  calendarRef: string;
  step: Step;
  tellGuests: boolean;
  /** As the store has it; null where it is gone, or still to be made. */
  stored: StoredItem | null;
  /** The store is what stands: there is nobody to ask. */
  isOwn: boolean;
}

/**
 * Carries one step out. Every write is conditional on the version that the store has; a refusal is answered by reading
 * what stands and merging again, never by force. Repeated after a lost answer it finds what it wrote and is done. Errors:
 * ProviderError.
 */
export async function writeStep(subject: Subject, signal: AbortSignal): Promise<StepResult> {
  const { before, after } = subject.step;
  if (subject.step.answer !== undefined) return answer(subject, subject.step.answer, signal);
  if (before === null && after !== null) return create(subject, after, signal);
  if (before !== null && after !== null) return change(subject, before, after, signal);
  if (before !== null) return remove(subject, before, signal);
  return { kind: 'done' };
}

async function create(subject: Subject, body: EditableBody, signal: AbortSignal): Promise<StepResult> {
  const { events, calendarRef, step, tellGuests } = subject;
  if (step.key === undefined) throw new Error('a step that creates has no name for what it makes');
  const identity = { key: step.key, uid: `${step.key}@holdfast.invalid` };
  try {
    const made = await events.create(
      calendarRef,
      identity,
      body,
      { tellGuests, conference: step.conference === true },
      signal,
    );
    return { kind: 'written', item: made.item, over: null };
  } catch (error) {
    if (!isKind(error, 'precondition')) throw error;
    const found = await events.find(calendarRef, identity, signal);
    if (found !== null) return { kind: 'written', item: found.item, over: null };
    throw new ProviderError('rejected', 'GONE_AGAIN', 'The event was created, then deleted in another app.');
  }
}

interface Standing {
  ref: string;
  version: string;
  body: EventBody;
}

/** Reads what stands instead of what the store has; nothing where it is gone. */
async function readAgain(
  { events, calendarRef, isOwn, stored }: Subject,
  signal: AbortSignal,
): Promise<Standing | null> {
  if (stored === null || isOwn) return stored;
  const found = await events.read(calendarRef, stored.ref, signal);
  return found === null ? null : { ref: found.ref, version: found.version, body: found.item.body };
}

async function change(
  subject: Subject,
  before: EditableBody,
  after: EditableBody,
  signal: AbortSignal,
): Promise<StepResult> {
  const { events, calendarRef, tellGuests } = subject;
  let standing: Standing | null = subject.stored;
  for (let isFresh = subject.isOwn; ; isFresh = true) {
    if (standing === null) return { kind: 'conflict', theirs: null };
    const current = editable(standing.body);
    const merged = mergeEdit(before, after, current);
    if (merged.kind === 'done') return { kind: 'done' };
    if (merged.kind === 'conflict' && isFresh) return { kind: 'conflict', theirs: current };
    if (merged.kind === 'write') {
      try {
        const { item } = await events.change(calendarRef, standing, current, merged.after, { tellGuests }, signal);
        return { kind: 'written', item, over: standing.version };
      } catch (error) {
        if (isEventGone(error)) return { kind: 'conflict', theirs: null };
        if (!isKind(error, 'precondition') || isFresh) throw error;
      }
    }
    // the store may be behind, or the answer of an earlier attempt was lost
    standing = await readAgain(subject, signal);
  }
}

/**
 * Like `change`. A response that the provider knows is not sent again. For a server that notifies nobody, the mail to
 * send is returned.
 */
async function answer(subject: Subject, said: StepAnswer, signal: AbortSignal): Promise<StepResult> {
  const { events, calendarRef, tellGuests, step } = subject;
  let standing: Standing | null = subject.stored;
  for (let isFresh = subject.isOwn; ; isFresh = true) {
    if (standing === null) throw new ProviderError('rejected', 'NOT_FOUND', 'The event no longer exists.');
    const current = editable(standing.body);
    const merged = mergeAnswer(step, current);
    if (merged.kind === 'conflict' && isFresh) return { kind: 'conflict', theirs: current };
    if (merged.kind !== 'conflict') {
      if (events.answer === undefined)
        throw new ProviderError('rejected', 'READ_ONLY', "Invitations in this calendar can't be answered here.");
      const { parts, note, again } = said;
      const after = merged.kind === 'write' ? merged.after : current;
      try {
        const wish = { parts, note, again, tellOrganizer: tellGuests };
        const { found, reply } = await events.answer(calendarRef, standing, after, wish, signal);
        if (found === null) return { kind: 'removed', ref: standing.ref, reply };
        return { kind: 'written', item: found.item, over: standing.version, reply };
      } catch (error) {
        if (!isKind(error, 'precondition') || isFresh) throw error;
      }
    }
    standing = await readAgain(subject, signal);
  }
}

async function remove(subject: Subject, before: EditableBody, signal: AbortSignal): Promise<StepResult> {
  const { events, calendarRef, tellGuests, stored } = subject;
  let standing: Standing | null = stored;
  for (let isFresh = subject.isOwn; ; isFresh = true) {
    if (standing === null) return { kind: 'removed', ref: stored?.ref ?? null };
    const current = editable(standing.body);
    const isSeen = isAsSeen(before, current);
    if (!isSeen && isFresh) return { kind: 'conflict', theirs: current };
    if (isSeen) {
      try {
        await events.remove(calendarRef, standing, { tellGuests }, signal);
        return { kind: 'removed', ref: standing.ref };
      } catch (error) {
        if (isEventGone(error)) return { kind: 'removed', ref: standing.ref };
        if (!isKind(error, 'precondition') || isFresh) throw error;
      }
    }
    standing = await readAgain(subject, signal);
  }
}

function editable(body: EventBody): EditableBody {
  if (body.kind === 'single' || body.kind === 'series') return body;
  throw new ProviderError('rejected', 'UNREADABLE', "The event has changed and can't be edited here anymore.");
}

/** Not so where its calendar is not there: in one that is shared again it stands as it was. */
const isEventGone = (error: unknown) =>
  isKind(error, 'not-found') && (error as ProviderError).code !== calendarGoneCode;

const isKind = (error: unknown, kind: ProviderError['kind']) => error instanceof ProviderError && error.kind === kind;
