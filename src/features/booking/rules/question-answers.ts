import type { QuestionAnswer, QuestionKind } from './question-endpoints.ts';

const answers: Record<QuestionKind, readonly QuestionAnswer[]> = {
  moved: ['follow', 'restore', 'cancel'],
  deleted: ['cancel', 'restore'],
  // what its host declined stands in their calendar: there is nothing to write back
  declined: ['cancel', 'ignore'],
  conflict: ['ask-guest', 'cancel', 'ignore'],
  overbooked: ['ignore', 'ask-guest', 'cancel'],
};

/** What can be answered, the usual first. Nobody follows into the past. */
export function answersTo(
  { kind, startMs }: { kind: QuestionKind; startMs: number | null },
  nowMs: number,
): QuestionAnswer[] {
  return answers[kind].filter((answer) => answer !== 'follow' || (startMs ?? 0) > nowMs);
}
