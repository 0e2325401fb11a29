import { trimEndOf } from '#kernel/text/trim-text.ts';
import type { WorkBudget } from '#kernel/work-budget.ts';
import { type Answer, mostNumber } from './answers.ts';
import { type Condition, domainOf, type Folds, holds } from './condition.ts';
import { type FactName, factId, gone, nobody } from './fact.ts';
import type { Question } from './question.ts';

/** A condition, and whether it is to hold or not to. */
export interface Demand {
  condition: Condition;
  held: boolean;
}

/** Steps, and the folded texts, of one search through the rules of a form. */
export interface Search {
  budget: WorkBudget;
  folds: Folds;
}

/** A question or a fact. */
export type Asked = Pick<Question, 'id' | 'required' | 'options'> & { kind: Question['kind'] | FactName };

/** The day is always known, even of an unknown visitor. */
export const askedFacts: readonly Asked[] = [
  { id: factId('language'), kind: 'language', required: false },
  { id: factId('zone'), kind: 'zone', required: false },
  { id: factId('day'), kind: 'day', required: true },
  { id: factId('contact'), kind: 'contact', required: false },
];

/**
 * An answer to one question that meets all these demands; null where there is none, whatever anybody types. Leaving it
 * open is an answer too. *Trap*: how long a text may be is not looked at, so that of hundred words it must contain the answer
 * found can be too long: a rule is then called reachable that is not.
 */
export function findAnswer(question: Asked, demands: readonly Demand[], search: Search): Answer | undefined | null {
  const fits = (answer: Answer | undefined) => demands.every((demand) => meetsDemand(demand, answer, search));
  if (!question.required && fits(undefined)) return undefined;
  for (const answer of candidates(question, demands, search)) if (fits(answer)) return answer;
  return null;
}

export function meetsDemand(
  { condition, held }: Demand,
  answer: Answer | undefined,
  { budget, folds }: Search,
): boolean {
  budget.spend('steps', 'values' in condition ? condition.values.length : 1);
  return holds(condition, answer, folds) === held;
}

/** As many answers as there are different ones for these demands, at least one that meets them where any does. */
function candidates({ kind, options = [] }: Asked, demands: readonly Demand[], search: Search): Iterable<Answer> {
  const { budget, folds } = search;
  for (const { condition } of demands) budget.spend('steps', 'values' in condition ? condition.values.length : 14);
  const named = <Op extends Condition['op']>(...ops: Op[]) =>
    demands.flatMap((demand) => {
      const { condition, held } = demand;
      return (ops as string[]).includes(condition.op)
        ? [{ condition: condition as Extract<Condition, { op: Op }>, wanted: condition.op.endsWith('-not') !== held }]
        : [];
    });
  switch (kind) {
    case 'yes-no':
      return [true, false];
    case 'select':
      return options.map(({ id }) => id);
    case 'multi-select': {
      budget.spend('steps', 4 * options.length);
      // the more is chosen the more of them is met, but for what must not be
      const banned = new Set(
        named('is', 'is-not').flatMap(({ condition, wanted }) => (wanted ? [] : condition.values)),
      );
      const rest = options.flatMap(({ id }) => (banned.has(id) ? [] : [id]));
      return rest.length === 0 ? [] : [rest];
    }
    case 'number': {
      const bounds = demands.flatMap(({ condition }) => ('value' in condition ? [condition.value] : []));
      const near = bounds.flatMap((value) => [value - 0.001, value, value + 0.001].map(roundNumber));
      return [0, ...near].filter((value) => Math.abs(value) <= mostNumber);
    }
    case 'email': {
      const domains = named('domain', 'domain-not').flatMap(({ condition }) => condition.values);
      const other = Array.from({ length: domains.length + 1 }, (_, n) => `other${n}.example`);
      return [...domains, ...other].map((domain) => `a@${domainOf(domain)}`);
    }
    case 'phone': {
      const beginnings = named('begins', 'begins-not');
      return numbersBy(
        beginnings.flatMap(({ condition }) => condition.values),
        budget,
      );
    }
    case 'language':
      return [...named('speaks', 'speaks-not').flatMap(({ condition }) => condition.values), 'other'];
    case 'zone':
      // a part of the world stands for a place in it that nobody names
      return [...named('in-zone', 'in-zone-not').flatMap(({ condition }) => condition.values), 'Elsewhere'];
    case 'day': {
      // seven days after each bound have all weekdays, and so have those before the first
      const bounds = named('before', 'from').map(({ condition }) => condition.day);
      return new Set((bounds.length === 0 ? ['2026-01-01'] : bounds).flatMap((day) => folds.days.around(day)));
    }
    case 'contact': {
      const owners = named('owner', 'owner-not').flatMap(({ condition }) => condition.values);
      const tags = named('tag', 'tag-not');
      const banned = new Set(tags.flatMap(({ condition, wanted }) => (wanted ? [] : folds.all(condition.values))));
      const worn = tags.flatMap(({ condition, wanted }) =>
        wanted ? condition.values.filter((value) => !banned.has(folds.of(value))) : [],
      );
      // the more tags the more is met, but for what must not be; where nobody looks after an address it has none
      const others = new Set([...owners, 'somebody'].filter((owner) => owner !== nobody && owner !== gone));
      return withTags(others, worn);
    }
    default: {
      const exact = named('is', 'is-not').flatMap(({ condition }) => condition.values);
      return [...exact, ...joinedWords(named('contains', 'contains-not'), exact, search)];
    }
  }
}

const roundNumber = (value: number) => Math.round(value * 1_000) / 1_000;

/** Returns, for every prefix, a number that continues differently from all longer prefixes, if possible. */
function numbersBy(beginnings: readonly string[], budget: WorkBudget): string[] {
  const numbers: string[] = [];
  const goesOn = (start: string) => beginnings.some((one) => one.startsWith(start));
  for (const begun of ['', '+', ...beginnings, ...beginnings.map((one) => trimEndOf(one, '0123456789'))]) {
    for (let length = 0; length <= begun.length; length += 1) {
      const start = begun.slice(0, length);
      if (start.length >= 5) numbers.push(start);
      for (const digit of '0123456789') {
        const next = start + digit;
        budget.spend('steps', 1 + beginnings.length);
        if (!goesOn(next) || beginnings.includes(next)) numbers.push(pad(next));
      }
    }
  }
  return [...new Set(numbers)].filter((number) => /^\+?[0-9]{5,15}$/.test(number));
}

const pad = (start: string) => (start.length >= 7 ? start : start.padEnd(7, '0'));

/** One after the other: all of them together can be many times what the form has. */
function* withTags(owners: ReadonlySet<string>, tags: readonly string[]): Generator<string[]> {
  yield [nobody];
  for (const owner of owners) yield [owner, ...tags];
}

/** A text with one word of each list that it must contain, and none that it must not. */
function joinedWords(
  wanted: readonly { condition: { values: readonly string[] }; wanted: boolean }[],
  exact: readonly string[],
  { budget, folds }: Search,
): string[] {
  const banned = wanted.flatMap((one) => (one.wanted ? [] : folds.all(one.condition.values)));
  const chosen: string[] = [];
  for (const { condition } of wanted.filter((one) => one.wanted)) {
    const word = folds.all(condition.values).find((one) => {
      budget.spend('steps', 1 + banned.length);
      return !banned.some((other) => folds.contains(one, other));
    });
    if (word === undefined) return [];
    chosen.push(word);
  }
  // a sign that stands in none of the words parts them, so that no new one comes about between two
  const words = [...banned, ...chosen, ...folds.all(exact)];
  budget.spend(
    'bytes',
    words.reduce((sum, word) => sum + word.length, 0),
  );
  const all = words.join('');
  const sign =
    ['·', '|', '~', '¦', '§', '¤', '¬', '†', '‡', '※'].find((one) => !all.includes(one)) ?? freshSign(all, budget);
  return [`${sign}${chosen.map((word) => word + sign).join('')}`];
}

/** A character in a set takes about thirty times as long as one that is compared. */
const signCost = 30;

/** Hangul has eleven thousand signs that no folding changes. */
function freshSign(all: string, budget: WorkBudget): string {
  budget.spend('bytes', signCost * all.length);
  const used = new Set(all);
  let code = 0xac00;
  while (used.has(String.fromCharCode(code))) code += 1;
  return String.fromCharCode(code);
}
