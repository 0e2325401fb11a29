import { useQuery } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ActionMenu } from '#ui/menu.tsx';
import { PreferencesProvider } from '#ui/preferences.tsx';
import { createFakeApi, type FakeAnswer, type FakeRoutes, refusal } from './fake-api.ts';
import { startTranslations } from './i18n.ts';
import { sampleUser } from './sample-user.ts';
import { ScreenFrame } from './screen-frame.tsx';
import { type SessionUser, sessionQuery } from './session.ts';
import { ThemeItem } from './theme-item.tsx';
import { useSendPreferences } from './use-send-preferences.ts';
import { useSessionUser } from './use-session-user.ts';

beforeAll(() => startTranslations('en'));
beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ada: SessionUser = { ...sampleUser, theme: 'light' };
const path = 'PATCH /api/account/preferences';

/** A shell with only the entry, and a way to refetch, as live updates do. */
function Screen() {
  const session = useSessionUser();
  const change = useSendPreferences();
  const { refetch } = useQuery(sessionQuery);
  if (!session) return null;
  return (
    <PreferencesProvider value={session.preferences} change={change}>
      <ActionMenu defaultOpened trigger={<button type="button">Menu</button>}>
        <ThemeItem />
      </ActionMenu>
      <button type="button" onClick={() => void refetch()}>
        Ask
      </button>
    </PreferencesProvider>
  );
}

function open(routes: FakeRoutes) {
  const api = createFakeApi({ 'GET /api/session': { body: { user: ada } }, ...routes });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={Screen} at="/calendar" />);
  return { api, user: userEvent.setup() };
}
const looks = () => {
  const { mantineColorScheme: colors, density } = document.documentElement.dataset;
  return { colors, density };
};

test('preferences from the server replace the local copy', async () => {
  localStorage.setItem('holdfast-color-scheme', 'light');
  open({ 'GET /api/session': { body: { user: { ...ada, theme: 'dark', density: 'compact' } } } });
  await screen.findByRole('menuitem', { name: 'Use light colors' });
  expect(looks()).toEqual({ colors: 'dark', density: 'compact' });
  expect(localStorage.getItem('holdfast-color-scheme')).toBe('dark');
  expect(localStorage.getItem('holdfast-density')).toBe('compact');
});

test('a color scheme change shows before the server answers, and is sent', async () => {
  const { promise, resolve } = Promise.withResolvers<FakeAnswer>();
  const { api, user } = open({ [path]: () => promise });
  await user.click(await screen.findByRole('menuitem', { name: 'Use dark colors' }));
  await waitFor(() => expect(looks().colors).toBe('dark'));
  await waitFor(() => expect(api.calls.at(-1)?.body).toEqual({ theme: 'dark' }));
  resolve({ body: { ...ada, theme: 'dark' } });
});

test('two quick preference changes are sent in order, and the first answer does not show', async () => {
  const answers: ((answer: { body: unknown }) => void)[] = [];
  const { api, user } = open({ [path]: () => new Promise((resolve) => answers.push(resolve)) });
  const seen = new Set<string | undefined>();
  await user.click(await screen.findByRole('menuitem', { name: 'Use dark colors' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Use light colors' }));
  await screen.findByRole('menuitem', { name: 'Use dark colors' });
  const watch = new MutationObserver(() => seen.add(looks().colors));
  watch.observe(document.documentElement, { attributes: true });
  await waitFor(() => expect(answers).toHaveLength(1));
  answers[0]?.({ body: { ...ada, theme: 'dark' } });
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.({ body: { ...ada, theme: 'light' } });
  await waitFor(() =>
    expect(api.calls.map(({ body }) => body).slice(-2)).toEqual([{ theme: 'dark' }, { theme: 'light' }]),
  );
  expect([...seen].filter((one) => one !== 'light')).toEqual([]);
  watch.disconnect();
});

test('a preference change that fails to save is reverted with a message', async () => {
  const { user } = open({ [path]: refusal(503, 'UNAVAILABLE', 'Later.') });
  await user.click(await screen.findByRole('menuitem', { name: 'Use dark colors' }));
  expect(await screen.findByText(/Couldn't save that setting, so it was undone/)).toBeDefined();
  expect(looks().colors).toBe('light');
});

test('a preference changed on another device shows here', async () => {
  const states = [ada, { ...ada, theme: 'dark', density: 'compact' }];
  const { user } = open({
    'GET /api/session': () => ({ body: { user: states.length > 1 ? states.shift() : states[0] } }),
  });
  await screen.findByRole('menuitem', { name: 'Use dark colors' });
  await user.click(screen.getByRole('button', { name: 'Ask', hidden: true }));
  await waitFor(() => expect(looks().colors).toBe('dark'));
  expect(looks()).toEqual({ colors: 'dark', density: 'compact' });
});
