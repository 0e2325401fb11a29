import { expect, test, vi } from 'vitest';
import { decide } from './decision.ts';
import { findUnreachable } from './find-unreachable.ts';
import type { Rule } from './form-definition.ts';
import type { Question } from './question.ts';

/** U+FDFA becomes eighteen characters once it is folded. */
const long = 'ﷺ';
const message = { kind: 'message', text: 'm' } as const;
const questions: Question[] = [
  { id: 'q', label: 'Q', kind: 'long', required: false },
  { id: 'email', label: 'Email', kind: 'email', required: false },
];
const rulesOf = (count: number, conditionOf: (k: number) => Rule['conditions'][number]): Rule[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `r${n}`,
    match: 'all',
    conditions: Array.from({ length: 10 }, (_c, at) => conditionOf(10 * n + at)),
    action: message,
  }));

/** The number of texts that a piece of work folds, and their characters before and after. */
function countFolds(work: () => void): { texts: number; chars: number } {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  try {
    work();
    const chars = normalize.mock.calls.reduce(
      (sum, _, at) =>
        sum + String(normalize.mock.contexts[at]).length + String(normalize.mock.results[at]?.value).length,
      0,
    );
    return { texts: normalize.mock.calls.length, chars };
  } finally {
    normalize.mockRestore();
  }
}

test.each<[name: string, conditionOf: (k: number) => Rule['conditions'][number]]>([
  ['words', (k) => ({ question: 'q', op: 'contains-not', values: [`w${k}x${long.repeat(90)}`] })],
  ['required words', (k) => ({ question: 'q', op: 'contains', values: [`w${k}x${long.repeat(90)}`] })],
  ['tags', (k) => ({ fact: 'contact', op: 'tag-not', values: [`w${k}x${long.repeat(25)}`] })],
  ['required tags', (k) => ({ fact: 'contact', op: 'tag', values: [`w${k}x${long.repeat(25)}`] })],
])('rules with %s that folding makes eighteen times as long fold at most a million characters', (_, conditionOf) => {
  let found: unknown;
  const { chars } = countFolds(() => {
    found = findUnreachable({ questions, rules: rulesOf(50, conditionOf) });
  });
  expect(found).toEqual([]);
  expect(chars).toBeLessThanOrEqual(1_000_000 + 100 * 18);
});

test('a decision folds an answer and each value once, and pauses after each condition', () => {
  const rules = rulesOf(50, (k) => ({ question: 'q', op: 'contains', values: [`word ${k}`] }));
  const answers = { q: `${long.repeat(500)} Word 499` };
  let pauses = 0;
  let decision: unknown;
  const { texts } = countFolds(() => {
    const work = decide({ rules, fallback: { kind: 'message', text: 'none' } }, answers);
    for (let step = work.next(); ; step = work.next()) {
      if (step.done === true) {
        decision = step.value.ruleId;
        break;
      }
      pauses += 1;
    }
  });
  expect({ decision, texts, pauses }).toEqual({ decision: null, texts: 501, pauses: 500 });
});

test('a rule whose only answer is the text none can decide', () => {
  const [text] = [{ id: 'text', label: 'Text', kind: 'text' as const, required: true }];
  const is = { question: 'text', op: 'is' as const, values: ['none'] };
  expect(findUnreachable({ questions: [text], rules: [{ ...rulesOf(1, () => is)[0]!, conditions: [is] }] })).toEqual(
    [],
  );
});

test('500 conditions on days calculate each of these days once', () => {
  const dayOf = (k: number) => `20${10 + (k % 80)}-0${1 + (k % 9)}-11`;
  const rules = rulesOf(50, (k) =>
    k % 2 === 0
      ? { fact: 'day', op: 'from', day: dayOf(k) }
      : { fact: 'day', op: 'weekday-not', values: [String(1 + (k % 7)) as '1'] },
  ).map((rule): Rule => ({ ...rule, match: 'any' }));
  const from = vi.spyOn(Temporal.PlainDate, 'from');
  try {
    findUnreachable({ questions, rules });
    const days = new Set(Array.from({ length: 500 }, (_, k) => dayOf(k))).size;
    // once for the days around a bound, and once for the weekday of each of the 14
    expect(from.mock.calls.length).toBeLessThanOrEqual(days * 15 + 14);
  } finally {
    from.mockRestore();
  }
});
