import fc from 'fast-check';
import { expect, test } from 'vitest';
import { definitionShape } from '#features/routing/rules/form-definition.ts';
import type { Definition, Question } from '../queries.ts';
import { roundToSum } from '../share-out.ts';
import { freshId, nameItems, placeErrors } from './name-items.ts';

const formOf = (questions: Question[], rules: Definition['rules'] = []): Definition => ({
  type: 'conditional',
  title: 'Contact',
  intro: '',
  questions,
  rules,
  fallback: { kind: 'message', text: 'Thanks' },
  frames: [],
});

test('new questions and options get ids from their labels, and rules use the new ids', () => {
  const [question, option] = [freshId('question'), freshId('option')];
  const named = nameItems(
    formOf(
      [
        { id: 'name', label: 'Your name', kind: 'text', required: true },
        {
          id: question,
          label: 'Größe der Firma?',
          kind: 'select',
          required: true,
          options: [
            { id: option, label: 'Über 50' },
            { id: 'small', label: 'Small' },
          ],
        },
      ],
      [
        {
          id: 'rule-1',
          match: 'all',
          conditions: [{ question, op: 'is', values: [option] }],
          action: { kind: 'message', text: 'Big' },
        },
      ],
    ),
  );
  expect(named.questions.map(({ id }) => id)).toEqual(['name', 'gro-e-der-firma']);
  expect(named.questions[1]?.options?.map(({ id }) => id)).toEqual(['uber-50', 'small']);
  expect(named.rules[0]?.conditions).toEqual([{ question: 'gro-e-der-firma', op: 'is', values: ['uber-50'] }]);
  // saved once, a name stays while the words change
  const again = nameItems({
    ...named,
    questions: named.questions.map((one) => ({ ...one, label: `${one.label} then` })),
  });
  expect(again.questions.map(({ id }) => id)).toEqual(['name', 'gro-e-der-firma']);
});

test('generated question ids are unique and valid for any label', () => {
  const label = fc.oneof(
    fc.constantFrom('Name', 'name', 'Embed', 'tz', '部門', '!!', ''),
    fc.string({ maxLength: 60 }),
  );
  fc.assert(
    fc.property(fc.array(label, { maxLength: 12 }), (labels) => {
      const named = nameItems(
        formOf(labels.map((one) => ({ id: freshId('question'), label: one, kind: 'text', required: false }))),
      );
      const ids = named.questions.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) {
        const one = definitionShape.shape.questions.safeParse([{ id, label: 'x', kind: 'text', required: false }]);
        expect(one.success, id).toBe(true);
      }
    }),
  );
});

test('a server error stays attached to its question when the question moves', () => {
  const definition = formOf([{ id: 'topic', label: 'Topic', kind: 'text', required: true }]);
  const placed = placeErrors(
    { name: 'Too long', 'definition.questions.0.options.2': 'No rule speaks of it' },
    definition,
  );
  expect([...placed]).toEqual([
    ['name', 'Too long'],
    ['questions topic.options.2', 'No rule speaks of it'],
  ]);
});

test('rounded shares add up to the rounded total, each off by less than one step', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 20 }), (counts) => {
      const total = counts.reduce((sum, one) => sum + one, 0);
      const shares = counts.map((one) => (total === 0 ? 0 : (one / total) * 100));
      const rounded = roundToSum(shares, 0.1);
      const tenths = rounded.map((one) => Math.round(one * 10));
      expect(tenths.reduce((sum, one) => sum + one, 0)).toBe(total === 0 ? 0 : 1_000);
      for (const [at, one] of rounded.entries()) expect(Math.abs(one - (shares[at] ?? 0))).toBeLessThan(0.1 + 1e-9);
    }),
  );
});
