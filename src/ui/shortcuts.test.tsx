import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listShortcuts, type Shortcut, shortcutsKey, takeEarlyText, useShortcuts } from './shortcuts.ts';

let done: string[] = [];

function Screen({ shortcuts }: { shortcuts: readonly Partial<Shortcut>[] }) {
  useShortcuts(
    shortcuts.map((one) => ({ keys: '', label: '', group: '', run: () => done.push(String(one.keys)), ...one })),
  );
  return <input aria-label="field" />;
}

const press = (key: string, more: object = {}) => fireEvent.keyDown(document.body, { key, ...more });

beforeEach(() => {
  done = [];
  localStorage.clear();
});

afterEach(() => {
  takeEarlyText();
  cleanup();
  vi.useRealTimers();
});

test('a shortcut works until its screen is left', () => {
  const { unmount } = render(<Screen shortcuts={[{ keys: 'c' }, { keys: ['j', 'n'] }]} />);
  press('c');
  press('n');
  press('x');
  expect(done).toEqual(['c', 'j,n']);
  unmount();
  press('c');
  expect(done).toHaveLength(2);
  expect(listShortcuts()).toEqual([]);
});

test('two keys in sequence form one shortcut, and an unknown key ends the sequence', () => {
  render(<Screen shortcuts={[{ keys: 'd' }, { keys: 'g d' }]} />);
  press('g');
  press('d');
  press('g');
  press('x');
  press('d');
  expect(done).toEqual(['g d', 'd']);
});

test('a key sequence expires, and its second key counts alone', () => {
  vi.useFakeTimers();
  render(<Screen shortcuts={[{ keys: 'd' }, { keys: 'g d' }]} />);
  press('g');
  vi.advanceTimersByTime(2_000);
  press('d');
  expect(done).toEqual(['d']);
});

test('shortcuts are off in text fields unless marked for typing', () => {
  render(<Screen shortcuts={[{ keys: 'c' }, { keys: 'mod+z' }, { keys: ['mod+k', '/'], opensField: true }]} />);
  const field = screen.getByLabelText('field');
  fireEvent.keyDown(field, { key: 'c' });
  fireEvent.keyDown(field, { key: 'z', ctrlKey: true });
  fireEvent.keyDown(field, { key: 'k', ctrlKey: true });
  fireEvent.keyDown(field, { key: '/' });
  expect(done).toEqual(['mod+k,/']);
});

test('shortcuts are off behind an open dialog', () => {
  render(
    <>
      <Screen shortcuts={[{ keys: 'c' }]} />
      <div role="dialog" aria-modal="true" />
    </>,
  );
  press('c');
  expect(done).toEqual([]);
});

test('a native dialog blocks shortcuts only while it is modal', () => {
  render(
    <>
      <Screen shortcuts={[{ keys: 'c' }]} />
      <dialog open aria-label="card" />
    </>,
  );
  const isModal = vi.spyOn(screen.getByRole('dialog', { name: 'card' }), 'matches').mockReturnValue(false);
  press('c');
  isModal.mockReturnValue(true);
  press('c');
  expect(done).toEqual(['c']);
});

test('character shortcuts can be switched off, and other shortcuts stay', () => {
  render(<Screen shortcuts={[{ keys: 'c' }, { keys: 'mod+k' }, { keys: 'Delete' }]} />);
  localStorage.setItem(shortcutsKey, 'off');
  press('c');
  press('k', { ctrlKey: true });
  press('Delete');
  expect(done).toEqual(['mod+k', 'Delete']);
});

test('characters typed while a field opens are kept for that field, and do nothing else', () => {
  render(<Screen shortcuts={[{ keys: '/', opensField: true }, { keys: 'd' }, { keys: 'mod+k', opensField: true }]} />);
  press('/');
  press('d');
  press('e');
  press('Tab');
  expect(takeEarlyText()).toBe('de');
  expect(done).toEqual(['/']);
  press('d');
  expect(done).toEqual(['/', 'd']);
  expect(takeEarlyText()).toBe('');
});

test('a field that never opens keeps characters for five seconds at most', () => {
  vi.useFakeTimers();
  render(<Screen shortcuts={[{ keys: '/', opensField: true }, { keys: 'd' }]} />);
  press('/');
  vi.advanceTimersByTime(4_000);
  press('d');
  vi.advanceTimersByTime(1_000);
  press('d');
  expect(done).toEqual(['/', 'd']);
});

test('the newest registration of a shortcut wins, and an inactive one is skipped', () => {
  render(
    <>
      <Screen shortcuts={[{ keys: 'e', run: () => done.push('below') }]} />
      <Screen shortcuts={[{ keys: 'e', active: false }]} />
    </>,
  );
  press('e');
  expect(done).toEqual(['below']);
});

test('a held key triggers its shortcut once unless repeats are allowed', () => {
  render(<Screen shortcuts={[{ keys: 'c' }, { keys: 'j', repeats: true }]} />);
  press('c');
  press('c', { repeat: true });
  press('j');
  press('j', { repeat: true });
  expect(done).toEqual(['c', 'j', 'j']);
});
