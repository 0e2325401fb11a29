import { WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import type { Answer } from './answers.ts';
import { Folds, subjectOf } from './condition.ts';
import { factId } from './fact.ts';
import { type Asked, askedFacts, type Demand, findAnswer, meetsDemand, type Search } from './find-answer.ts';
import type { Definition, Rule } from './form-definition.ts';

/**
 * Values compared with an answer, and characters compared or folded, for all rules of a form together: some 15 ms of each.
 * Only contrived rules need as many. Past a limit nothing is said about the further rules.
 */
const limits = { steps: 200_000, bytes: 7_000_000, instances: 0, milliseconds: 0 };

function startSearch(): Search {
  const budget = new WorkBudget(limits);
  return { budget, folds: new Folds(budget) };
}

/** The demands on one question, and an answer that meets them. */
interface Met {
  demands: readonly Demand[];
  answer: Answer | undefined;
}
const nothing: Met = { demands: [], answer: undefined };

type Form = Pick<Definition, 'questions' | 'rules'>;

/** The rules that no answers lead to: they cannot be true at all (`never`), or those before them take all (`covered`). */
export function findUnreachable(form: Form): { n: number; why: 'never' | 'covered' }[] {
  const search = startSearch();
  const unreachable: { n: number; why: 'never' | 'covered' }[] = [];
  for (const [n, rule] of form.rules.entries()) {
    const found = findAnswersFor(form, n, search);
    const alone = found === null ? findAnswersFor({ questions: form.questions, rules: [rule] }, 0, search) : found;
    if (alone === 'undecided') break;
    if (found === null) unreachable.push({ n, why: alone === null ? 'never' : 'covered' });
  }
  return unreachable;
}

/**
 * Answers by which the rule with this number decides, or by which none does where there is none of this number; null where
 * there are none. `undecided` is the answer past the limits.
 */
export function findAnswersFor(
  form: Form,
  n: number,
  search = startSearch(),
): Record<string, Answer> | 'undecided' | null {
  try {
    return searchAnswers(form, n, search);
  } catch (error) {
    if (error instanceof WorkLimitError) return 'undecided';
    throw error;
  }
}

function searchAnswers({ questions, rules }: Form, n: number, work: Search): Record<string, Answer> | null {
  const own = rules[n];
  const clauses = [...(own === undefined ? [] : meets(own)), ...rules.slice(0, n).flatMap(misses)];
  const used = new Set(clauses.flat().map(({ condition }) => subjectOf(condition)));
  const all: Asked[] = [...questions, ...askedFacts.filter(({ id }) => used.has(id))];
  const asked = new Map(all.map((one) => [one.id, one]));
  if (used.has(contact)) clauses.push(...knownByAddress(questions));

  /** Answers by the demands before: the demands of other questions stay the same from one clause to the next. */
  const tried = new Map<Met, Map<Demand, Answer | undefined | null>>();
  const tryBoth = (before: Met, demand: Demand, question: Asked): Answer | undefined | null => {
    const known = tried.get(before) ?? new Map<Demand, Answer | undefined | null>();
    tried.set(before, known);
    if (known.has(demand)) return known.get(demand);
    const { demands, answer } = before;
    const isMet = demands.length > 0 && meetsDemand(demand, answer, work);
    const found = isMet ? answer : findAnswer(question, [...demands, demand], work);
    known.set(demand, found);
    return found;
  };

  /** Demands so far by question; each clause needs one of its own met. */
  const search = (met: ReadonlyMap<string, Met>, open: readonly Demand[][]): boolean => {
    let next: { ways: { id: string; demand: Demand; answer: Answer | undefined }[]; at: number } | null = null;
    for (const [at, clause] of open.entries()) {
      const ways = clause.flatMap((demand) => {
        const id = subjectOf(demand.condition);
        const question = asked.get(id);
        work.budget.spend('steps', 1);
        const answer = question === undefined ? null : tryBoth(met.get(id) ?? nothing, demand, question);
        return answer === null ? [] : [{ id, demand, answer }];
      });
      if (ways.length === 0) return false;
      if (next === null || ways.length < next.ways.length) next = { ways, at };
      if (next.ways.length === 1) break;
    }
    if (next === null) {
      found = met;
      return true;
    }
    const rest = open.toSpliced(next.at, 1);
    return next.ways.some(({ id, demand, answer }) => {
      work.budget.spend('steps', rest.length + met.size);
      const demands = [...(met.get(id)?.demands ?? []), demand];
      return search(new Map(met).set(id, { demands, answer }), rest);
    });
  };

  let found: ReadonlyMap<string, Met> = new Map();
  if (!search(new Map(), clauses)) return null;
  const answers: Record<string, Answer> = {};
  for (const question of all) {
    const one = findAnswer(question, found.get(question.id)?.demands ?? [], work);
    if (one !== undefined && one !== null) answers[question.id] = one;
  }
  return answers;
}

const contact = factId('contact');

/** A contact is known exactly of whom an address is: the first that is asked for. */
function knownByAddress(questions: Form['questions']): Demand[][] {
  const address = questions.find(({ kind }) => kind === 'email');
  const filled = (question: string, held: boolean): Demand => ({ condition: { question, op: 'filled' }, held });
  if (address === undefined) return [[filled(contact, false)]];
  return [
    [filled(address.id, true), filled(contact, false)],
    [filled(address.id, false), filled(contact, true)],
  ];
}

/** Demands, one of each list at least, with which the rule fits. */
const meets = ({ match, conditions }: Rule): Demand[][] => together(match === 'all', conditions, true);
/** Demands, one of each list at least, with which it does not. */
const misses = ({ match, conditions }: Rule): Demand[][] => together(match === 'any', conditions, false);

function together(each: boolean, conditions: Rule['conditions'], held: boolean): Demand[][] {
  const demands = conditions.map((condition) => ({ condition, held }));
  return each ? demands.map((demand) => [demand]) : [demands];
}
