import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { formSubmitted } from '../events.ts';
import { checkAnswers, contactOf, sayAnswers } from './answers.ts';
import { checkForm } from './check-form.ts';
import { definitionShape, formTypes, startDefinition } from './form-definition.ts';
import type { Question } from './question.ts';

const questions: Question[] = [
  { id: 'name', label: 'Your name', kind: 'text', required: true },
  { id: 'email', label: 'Email', kind: 'email', required: true },
  { id: 'tel', label: 'Phone', kind: 'phone', required: false },
  { id: 'seats', label: 'How many seats', kind: 'number', required: false },
  { id: 'news', label: 'Newsletter', kind: 'yes-no', required: false },
  {
    id: 'topics',
    label: 'Topics',
    kind: 'multi-select',
    required: true,
    options: [
      { id: 'sync', label: 'Syncing' },
      { id: 'teams', label: 'Teams' },
    ],
  },
];
const good = {
  name: '  Nina  ',
  email: 'nina@example.net',
  tel: '+49 (151) 234-567',
  seats: 12.5,
  news: false,
  topics: ['teams', 'sync', 'teams'],
};

test('signs that turn or hide the text beside them are left out of a routing answer', () => {
  const given = {
    ...good,
    name: '\u202eaniN\u202c',
    email: '\u200enina@example.net',
    tel: '\u202a+49 151 234567\u202c',
  };
  expect(checkAnswers(questions, given)).toMatchObject({
    wrong: {},
    answers: { name: 'aniN', email: 'nina@example.net', tel: '+49151234567' },
  });
  expect(checkAnswers(questions, { ...good, name: '\u202e\u3164' }).wrong).toEqual({ name: 'missing' });
});

test('routing answers are normalized, with options in order and without repeats', () => {
  expect(checkAnswers(questions, good)).toEqual({
    wrong: {},
    answers: { ...good, name: 'Nina', tel: '+49151234567', topics: ['sync', 'teams'] },
  });
});

test('invalid, missing and unknown routing answers are each reported at their question', () => {
  const wrong = { name: ' ', email: 'nina@nowhere', tel: 'call me', seats: 1e12, topics: ['sync', 'x'], extra: 'x' };
  expect(checkAnswers(questions, wrong)).toMatchObject({
    wrong: { name: 'missing', email: 'email', tel: 'phone', seats: 'number', topics: 'option', extra: 'unknown' },
  });
  expect(checkAnswers(questions, { ...good, name: 'x'.repeat(501) }).wrong).toEqual({ name: 'too-long' });
});

test('a routing answer that is more than twice as long as its limit once it is folded is too long', () => {
  const asked: Question[] = [
    { id: 'text', label: 'Text', kind: 'text', required: false },
    { id: 'long', label: 'Long', kind: 'long', required: false },
  ];
  // U+33CF becomes two characters, U+FDFA eighteen
  for (const [id, most] of [
    ['text', 500],
    ['long', 5_000],
  ] as const) {
    for (const [answer, complaint] of [
      ['㏏'.repeat(most), undefined],
      ['ﷺ'.repeat(20), undefined],
      ['ﷺ'.repeat(most / 9 + 1), 'too-long'],
      ['ﷺ'.repeat(most - 10), 'too-long'],
    ] as const)
      expect(checkAnswers(asked, { [id]: answer }).wrong[id], `${id} ${answer.slice(0, 1)}`).toBe(complaint);
  }
});

test('a submitted form event carries the contact details, and the answers as text but for yes and no', () => {
  const { answers } = checkAnswers(questions, good);
  const told = {
    submissionId: 's',
    formId: 'f',
    formName: 'Help',
    userId: null,
    teamId: 't',
    ...contactOf(questions, answers),
    answers: sayAnswers(questions, answers),
    atMs: 0,
  };
  expect(z.safeParse(formSubmitted.payload, told).success).toBe(true);
  expect(told).toMatchObject({ name: 'Nina', email: 'nina@example.net', phone: '+49151234567' });
  expect(told.answers.slice(3)).toEqual([
    { id: 'seats', label: 'How many seats', answer: '12.5' },
    { id: 'news', label: 'Newsletter', answer: false },
    { id: 'topics', label: 'Topics', answer: 'Syncing, Teams' },
  ]);
});

test('a new routing form of every type can be saved as it is', () => {
  for (const type of formTypes) {
    const made = startDefinition(type, 'How can we help?', {
      kind: 'event-type',
      event_type_id: '0190a6de-5b7f-7cc5-8d5d-000000000001' as never,
      user_ids: null,
      contact_owner_first: false,
    });
    expect(z.safeParse(definitionShape, made).success).toBe(true);
    expect(checkForm(made)).toEqual([]);
  }
});
