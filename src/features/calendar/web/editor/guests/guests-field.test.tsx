import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import i18next from 'i18next';
import { useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createFakeApi, type FakeAnswer } from '../../../../../web/fake-api.ts';
import editorWords from '../../../../../web/locales/en/editor.json' with { type: 'json' };
import uiWords from '../../../../../web/locales/en/ui.json' with { type: 'json' };
import { ScreenFrame } from '../../../../../web/screen-frame.tsx';
import { GuestsField } from '../guests-field.tsx';
import type { Guest } from '../parse-addresses.ts';
import { markTyped, type Suggestion } from './suggestions.ts';

const people: Suggestion[] = [
  { address: 'jonas@y.example', name: 'Jonas Weber', in_team: true },
  { address: 'jo@often.example', name: 'Zoë Jonsson', in_team: false },
  { address: 'jonna@x.example', name: null, in_team: false },
];
const known = (typed: string) =>
  people.filter(({ name, address }) => `${name} ${address}`.toLowerCase().includes(typed.toLowerCase()));

let guests: Guest[] = [];
const submit = vi.fn();

function Form() {
  const [invited, setInvited] = useState<Guest[]>([]);
  guests = invited;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <GuestsField guests={invited} onChange={setInvited} />
      <input aria-label="Location" />
      <button type="submit">Save</button>
    </form>
  );
}

async function open(answer: (typed: string) => FakeAnswer | Promise<FakeAnswer> = answerKnown) {
  const api = createFakeApi({ 'GET /api/guest-suggestions': (call) => answer(call.query.get('q') ?? '') });
  vi.stubGlobal('fetch', api.fetch);
  submit.mockClear();
  render(<ScreenFrame screen={Form} at="/calendar" />);
  const field = await screen.findByRole('combobox', { name: 'Guests' });
  return { user: userEvent.setup(), field };
}
const answerKnown = (typed: string): FakeAnswer => ({ body: { guests: known(typed) } });
const active = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { editor: editorWords, ui: uiWords } } },
    interpolation: { escapeValue: false },
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('three letters and Enter invite the first suggestion, and the form is not sent', async () => {
  const { user, field } = await open();
  await user.type(field, 'jon');
  const list = await screen.findByRole('listbox', { name: 'Suggestions' });
  expect(field.getAttribute('aria-controls')).toBe(list.id);
  expect(field.getAttribute('aria-expanded')).toBe('true');
  expect(active(field)).toBe('Jonas Weberjonas@y.exampleTeam');
  expect(screen.getByText('3 suggestions')).toBeDefined();
  await user.keyboard('{Enter}');
  expect(guests).toEqual([{ email: 'jonas@y.example', name: 'Jonas Weber' }]);
  expect(field).toHaveProperty('value', '');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(document.activeElement).toBe(field);
  expect(submit).not.toHaveBeenCalled();
});

it('arrows move through the suggestions and around, a guest is not suggested again', async () => {
  const { user, field } = await open();
  await user.type(field, 'jon');
  await screen.findByRole('listbox');
  await user.keyboard('{ArrowDown}');
  expect(active(field)).toContain('Zoë Jonsson');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(active(field)).toContain('Jonas Weber');
  await user.keyboard('{ArrowUp}');
  expect(active(field)).toBe('jonna@x.example');
  await user.keyboard('{Enter}');
  expect(guests).toEqual([{ email: 'jonna@x.example', name: null }]);
  await user.type(field, 'jon');
  await screen.findByRole('listbox');
  expect(screen.getAllByRole('option')).toHaveLength(2);
});

it('Enter in an empty field sends nothing', async () => {
  const { user, field } = await open();
  await user.click(field);
  await user.keyboard('{Enter}');
  expect(submit).not.toHaveBeenCalled();
  expect(guests).toEqual([]);
});

it('Enter before the answer waits for it', async () => {
  const { promise, resolve } = Promise.withResolvers<FakeAnswer>();
  const { user, field } = await open(() => promise);
  await user.type(field, 'zoë{Enter}');
  expect(guests).toEqual([]);
  resolve(answerKnown('zoë'));
  await waitFor(() => expect(guests).toEqual([{ email: 'jo@often.example', name: 'Zoë Jonsson' }]));
});

it('Tab takes the suggestion and leaves the field, a comma takes it and stays', async () => {
  const { user, field } = await open();
  await user.type(field, 'jonas');
  await screen.findByRole('listbox');
  await user.keyboard(',');
  expect(document.activeElement).toBe(field);
  await user.keyboard('zo');
  await screen.findByRole('listbox');
  await user.tab();
  expect(guests.map(({ email }) => email)).toEqual(['jonas@y.example', 'jo@often.example']);
  expect(document.activeElement).not.toBe(field);
  expect(screen.queryByRole('alert')).toBeNull();
});

it('a whole address is invited as it is typed, with the name that is known', async () => {
  const { user, field } = await open((typed) => ({
    body: { guests: typed.startsWith('jo@') ? [people[1], { ...people[2], address: 'jo@often.example.net' }] : [] },
  }));
  await user.type(field, 'jo@often.example');
  await screen.findByRole('listbox');
  expect(field.getAttribute('aria-activedescendant')).toBeNull();
  await user.keyboard('{Enter}');
  expect(guests).toEqual([{ email: 'jo@often.example', name: 'Zoë Jonsson' }]);
});

it('Escape closes the list and keeps the text, which Enter then names as no address', async () => {
  const { user, field } = await open();
  await user.type(field, 'jon');
  await screen.findByRole('listbox');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(field).toHaveProperty('value', 'jon');
  await user.keyboard('{Enter}');
  expect(guests).toEqual([]);
  expect(screen.getByRole('alert').textContent).toContain('jon');
});

it('a contact found by company is offered, though neither name nor address has the word', async () => {
  const { user, field } = await open(() => ({ body: { guests: [people[2]] } }));
  await user.type(field, 'acme');
  await screen.findByRole('listbox');
  await user.keyboard('{Enter}');
  expect(guests).toEqual([{ email: 'jonna@x.example', name: null }]);
});

it('a press on a suggestion invites it', async () => {
  const { user, field } = await open();
  await user.type(field, 'jon');
  await user.click(await screen.findByRole('option', { name: /Zoë/ }));
  expect(guests).toEqual([{ email: 'jo@often.example', name: 'Zoë Jonsson' }]);
  expect(document.activeElement).toBe(field);
});

it('an answer that fails leaves a field that takes addresses', async () => {
  const { user, field } = await open(() => ({ status: 500, body: {} }));
  await user.type(field, 'ana@y.example{Enter}');
  expect(guests).toEqual([{ email: 'ana@y.example', name: null }]);
  await user.type(field, 'bo{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('bo');
});

it('typed words are marked where words begin, signs of patterns included', () => {
  const marked = (text: string, typed: string) =>
    markTyped(text, typed).map(({ part, isTyped }) => (isTyped ? `[${part}]` : part));
  expect(marked('Jonas Sajon', 'jon').join('')).toBe('[Jon]as Sajon');
  expect(marked('a.b+c@x.example', 'b+c').join('')).toBe('a.[b+c]@x.example');
  expect(marked('Jonas', ' ').join('')).toBe('Jonas');
  expect(marked('Ana (Ops)', '(o').join('')).toBe('Ana [(O]ps)');
});
