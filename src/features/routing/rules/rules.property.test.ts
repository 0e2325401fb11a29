import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { withoutPause } from '#kernel/work-budget.ts';
import { runs } from '../../../../test/harness/law-budget.ts';
import type { Action } from './action.ts';
import { type Answer, type Answers, checkAnswers } from './answers.ts';
import { checkForm } from './check-form.ts';
import { type Condition, type FactCondition, operatorsOf } from './condition.ts';
import { decide as decideInSlices } from './decision.ts';
import { type FactName, factId, factNames, nobody } from './fact.ts';
import { findAnswersFor, findUnreachable } from './find-unreachable.ts';
import { type Definition, definitionShape, type Rule } from './form-definition.ts';
import type { Question } from './question.ts';

const decide = (form: Pick<Definition, 'rules' | 'fallback'>, answers: Answers) =>
  withoutPause(decideInSlices(form, answers));
const message = (text: string): Action => ({ kind: 'message', text });

/** Small forms whose every answer can be tried: of numbers, texts and the like those that any condition tells apart. */
const numbers = [-1, 0, 1, 2];
const words = ['a', 'b', 'ab'];
const beginnings = ['+49', '+491', '+4', '0'];
const domains = ['one.example', 'two.example'];

const optionIds = ['x', 'y', 'z'];
const questionOf = (n: number) =>
  fc
    .record({
      kind: fc.constantFrom('text', 'email', 'phone', 'number', 'select', 'multi-select', 'yes-no' as const),
      required: fc.boolean(),
    })
    .map(
      ({ kind, required }): Question => ({
        id: `q${n}`,
        label: `Question ${n}`,
        kind: kind as Question['kind'],
        required,
        ...(kind === 'select' || kind === 'multi-select'
          ? { options: optionIds.map((id) => ({ id, label: id.toUpperCase(), to_fallback: true })) }
          : {}),
      }),
    );

const some = (values: readonly string[]) => fc.subarray([...values], { minLength: 1 });

function conditionOf(questions: readonly Question[]): fc.Arbitrary<Condition> {
  return fc.constantFrom(...questions).chain(({ id: question, kind }) =>
    fc.constantFrom(...operatorsOf[kind]).chain((op): fc.Arbitrary<Condition> => {
      switch (op) {
        case 'is':
        case 'is-not':
          return some(kind === 'text' ? words : optionIds).map((values) => ({ question, op, values }));
        case 'contains':
        case 'contains-not':
          return some(words).map((values) => ({ question, op, values }));
        case 'domain':
        case 'domain-not':
          return some(domains).map((values) => ({ question, op, values }));
        case 'begins':
        case 'begins-not':
          return some(beginnings).map((values) => ({ question, op, values }));
        case 'equals':
        case 'equals-not':
        case 'less-than':
        case 'at-most':
        case 'more-than':
        case 'at-least':
          return fc.constantFrom(0, 1).map((value) => ({ question, op, value }));
        default:
          return fc.constant({ question, op } as Condition);
      }
    }),
  );
}

const tags = ['a', 'b'];
const owners = ['0190a000-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000002', nobody];

/** The clocks change between these days. */
const bounds = ['2026-03-28', '2026-03-30'];

function factConditionOf(fact: FactName): fc.Arbitrary<FactCondition> {
  const made = (ops: readonly string[], values: readonly string[]) =>
    fc.record({ fact: fc.constant(fact), op: fc.constantFrom(...ops), values: some(values) });
  const conditions: Record<FactName, fc.Arbitrary<unknown>> = {
    language: made(['speaks', 'speaks-not'], ['de', 'fr']),
    zone: made(['in-zone', 'in-zone-not'], ['Europe', 'Europe/Berlin', 'Asia/Kolkata']),
    day: fc.oneof(
      fc.record({
        fact: fc.constant(fact),
        op: fc.constantFrom('before', 'from'),
        day: fc.constantFrom(...bounds),
      }),
      made(['weekday', 'weekday-not'], ['1', '6', '7']),
    ),
    contact: fc.oneof(made(['tag', 'tag-not'], tags), made(['owner', 'owner-not'], owners)),
  };
  return conditions[fact] as fc.Arbitrary<FactCondition>;
}

/** Every value of a fact, of a visitor with or without an e-mail address. */
function everyFact(fact: FactName, hasAddress: boolean): (Answer | undefined)[] {
  switch (fact) {
    case 'language':
      return [undefined, 'de', 'fr', 'es'];
    case 'zone':
      return [undefined, 'Europe/Berlin', 'Europe/Rome', 'Asia/Calcutta', 'UTC'];
    case 'day':
      return Array.from({ length: 17 }, (_, n) => Temporal.PlainDate.from('2026-03-21').add({ days: n }).toString());
    case 'contact': {
      const worn = [[], ['a'], ['b'], ['a', 'b']];
      const people = [...owners.filter((owner) => owner !== nobody), 'another'];
      return hasAddress ? [[nobody], ...people.flatMap((owner) => worn.map((some) => [owner, ...some]))] : [undefined];
    }
  }
}

const formArb = fc
  .tuple(questionOf(0), questionOf(1), fc.subarray([...factNames], { maxLength: 2 }))
  .chain(([one, other, facts]) => {
    const questions = [one, other];
    return fc.record({
      questions: fc.constant(questions),
      rules: fc.array(
        fc.record({
          match: fc.constantFrom('all' as const, 'any' as const),
          conditions: fc.array(fc.oneof(conditionOf(questions), ...facts.map(factConditionOf)), {
            minLength: 1,
            maxLength: 3,
          }),
        }),
        { maxLength: 4 },
      ),
    });
  })
  .map(
    ({ questions, rules }): Definition => ({
      type: 'conditional',
      title: 'Form',
      intro: '',
      questions,
      rules: rules.map((rule, n): Rule => ({ ...rule, id: `r${n}`, action: message(`rule ${n}`) })),
      fallback: message('fallback'),
      frames: [],
    }),
  );

/** As many answers as the conditions above can tell apart, and more. */
function everyAnswer({ kind, required }: Question): (Answer | undefined)[] {
  const answers: Record<string, Answer[]> = {
    text: [...words, 'ba', 'aab', 'c', 'a b', 'c a', 'c b'],
    email: [...domains, 'three.example'].map((domain) => `guest@${domain}`),
    phone: ['+4912345', '+4987654', '+4787654', '+3312345', '012345', '112345'],
    number: [...numbers, 0.5],
    select: optionIds,
    'multi-select': [1, 2, 3, 4, 5, 6, 7].map((bits) => optionIds.filter((_, n) => bits & (1 << n))),
    'yes-no': [true, false],
  };
  return [...(required ? [] : [undefined]), ...(answers[kind] ?? [])];
}

function everySubmission({ questions, rules }: Definition): Record<string, Answer>[] {
  let all: Record<string, Answer>[] = [{}];
  for (const question of questions)
    all = all.flatMap((so) =>
      everyAnswer(question).map((answer) => (answer === undefined ? so : { ...so, [question.id]: answer })),
    );
  const asked = factNames.filter((name) =>
    rules.some(({ conditions }) => conditions.some((one) => 'fact' in one && one.fact === name)),
  );
  const address = questions.find(({ kind }) => kind === 'email')?.id;
  for (const name of asked)
    all = all.flatMap((so) =>
      everyFact(name, address !== undefined && so[address] !== undefined).map((fact) =>
        fact === undefined ? so : { ...so, [factId(name)]: fact },
      ),
    );
  return all;
}

/** Without what is known besides. */
const typed = (given: Record<string, Answer>) =>
  Object.fromEntries(Object.entries(given).filter(([id]) => !id.startsWith('@')));

const manyOf = (count: number, word: (at: number) => string) => Array.from({ length: count }, (_, at) => word(at));

describe('valid routing forms', () => {
  test('a valid routing form answers every submission with exactly one action', () => {
    fc.assert(
      fc.property(formArb, (form) => {
        fc.pre(checkForm(form).length === 0);
        expect(z.safeParse(definitionShape, form).success).toBe(true);
        for (const given of everySubmission(form)) {
          const { answers, wrong } = checkAnswers(form.questions, typed(given));
          expect(wrong).toEqual({});
          const { ruleId, action, reasons } = decide(form, { ...given, ...answers });
          expect(action).toEqual(form.rules.find(({ id }) => id === ruleId)?.action ?? form.fallback);
          expect(reasons.filter(({ fits }) => fits).map((one) => one.ruleId)).toEqual(ruleId === null ? [] : [ruleId]);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('unreachable routing rules', () => {
  test('unreachable routing rules agree with trying every answer', () => {
    fc.assert(
      fc.property(formArb, (form) => {
        const deciding = new Set(everySubmission(form).map((answers) => decide(form, answers).ruleId));
        const unreachable = form.rules.flatMap(({ id }, n) => (deciding.has(id) ? [] : [n]));
        expect(findUnreachable(form).map(({ n }) => n)).toEqual(unreachable);
      }),
      { numRuns: runs(500) },
    );
  });

  test('answers found for a routing rule are valid and lead to that rule', () => {
    fc.assert(
      fc.property(formArb, (form) => {
        for (const [n, rule] of [...form.rules, null].entries()) {
          const found = findAnswersFor(form, n);
          expect(found).not.toBe('undecided');
          if (found === null || found === 'undecided') continue;
          const { answers, wrong } = checkAnswers(form.questions, typed(found));
          expect(wrong).toEqual({});
          expect(decide(form, { ...found, ...answers }).ruleId).toBe(rule?.id ?? null);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test('an unreachable routing rule is marked as impossible or covered by earlier rules', () => {
    const select: Question = {
      id: 'q',
      label: 'Q',
      kind: 'select',
      required: true,
      options: [{ id: 'x', label: 'X' }],
    };
    const is = (n: number, op: 'is' | 'is-not'): Rule => ({
      id: `r${n}`,
      match: 'all',
      conditions: [{ question: 'q', op, values: ['x'] }],
      action: message('m'),
    });
    expect(findUnreachable({ questions: [select], rules: [is(0, 'is-not'), is(1, 'is'), is(2, 'is')] })).toEqual([
      { n: 0, why: 'never' },
      { n: 2, why: 'covered' },
    ]);
  });

  test('unreachable routing rules of a large form are found in bounded time', () => {
    const questions = Array.from(
      { length: 20 },
      (_, n): Question => ({
        id: `q${n}`,
        label: 'Q',
        kind: 'multi-select',
        required: false,
        options: Array.from({ length: 10 }, (_o, at) => ({ id: `o${at}`, label: 'O' })),
      }),
    );
    const rules = Array.from(
      { length: 50 },
      (_, n): Rule => ({
        id: `r${n}`,
        match: 'all',
        conditions: Array.from({ length: 10 }, (_c, at) => ({
          question: `q${(n * 7 + at * 3) % 20}`,
          op: (n + at) % 2 === 0 ? 'is' : 'is-not',
          values: [`o${(n + at) % 10}`],
        })),
        action: message('m'),
      }),
    );
    // unbounded work ends in the timeout of its test
    findUnreachable({ questions, rules });
  });

  test.each([
    ['words of texts', 'text', (n: number) => ({ op: 'contains' as const, values: manyOf(20, (at) => `w${n}x${at}`) })],
    [
      'beginnings of numbers',
      'phone',
      (n: number) => ({ op: 'begins' as const, values: manyOf(50, (at) => `+49${n}${at}`) }),
    ],
  ])('a form whose rules need endless %s says nothing about unreachable rules', (_, kind, asks) => {
    const question = (id: string, of: Question['kind']): Question => ({ id, label: id, kind: of, required: false });
    const questions = [
      question('t', kind as Question['kind']),
      question('u', kind as Question['kind']),
      question('y', 'yes-no'),
      question('z', 'yes-no'),
    ];
    const rule = (n: number, conditions: Rule['conditions']): Rule => ({
      id: `r${n}`,
      match: 'all',
      conditions,
      action: message('m'),
    });
    const pairs = ['yes', 'no'].flatMap((y) => ['yes', 'no'].map((z) => [y, z] as ['yes' | 'no', 'yes' | 'no']));
    const rules = [
      ...Array.from({ length: 12 }, (_r, n) =>
        rule(n, [
          { question: 't', ...asks(n) },
          { question: 'u', ...asks(n + 100) },
        ]),
      ),
      ...pairs.map(([y, z], n) =>
        rule(20 + n, [
          { question: 'y', op: y },
          { question: 'z', op: z },
        ]),
      ),
      ...Array.from({ length: 8 }, (_r, n) => rule(30 + n, [{ question: 't', ...asks(n + 200) }])),
    ];
    const found = findUnreachable({ questions, rules });
    expect(found.filter(({ n }) => n < 12)).toEqual([]);
  });
});
