import type { QuestionAnswer, QuestionKind } from './question-endpoints.ts';

const answers: Record<QuestionKind, readonly QuestionAnswer[]> = {
  moved: ['follow', 'restore', 'cancel'],
  deleted: ['cancel', 'restore'],
  // the host's calendar keeps a declined event, so there is nothing to restore
  declined: ['cancel', 'ignore'],
  conflict: ['ask-guest', 'cancel', 'ignore'],
  overbooked: ['ignore', 'ask-guest', 'cancel'],
};

/** Returns the possible answers, the usual one first. An event in the past cannot be followed. */
export function answersTo(
  { kind, startMs }: { kind: QuestionKind; startMs: number | null },
  nowMs: number,
): QuestionAnswer[] {
  return answers[kind].filter((answer) => answer !== 'follow' || (startMs ?? 0) > nowMs);
}
