import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listShortcuts, type Shortcut, setShortcutsOn, useShortcuts } from './shortcuts.ts';

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
  cleanup();
  vi.useRealTimers();
});

test('a key does what was registered for it, until its screen is left', () => {
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

test('two keys one after the other are one shortcut; a key that begins nothing ends it', () => {
  render(<Screen shortcuts={[{ keys: 'd' }, { keys: 'g d' }]} />);
  press('g');
  press('d');
  press('g');
  press('x');
  press('d');
  expect(done).toEqual(['g d', 'd']);
});

test('the second key comes soon or stands alone', () => {
  vi.useFakeTimers();
  render(<Screen shortcuts={[{ keys: 'd' }, { keys: 'g d' }]} />);
  press('g');
  vi.advanceTimersByTime(2_000);
  press('d');
  expect(done).toEqual(['d']);
});

test('who types is left alone, but for what is meant for then', () => {
  render(<Screen shortcuts={[{ keys: 'c' }, { keys: 'mod+z' }, { keys: ['mod+k', '/'], whileTyping: true }]} />);
  const field = screen.getByLabelText('field');
  fireEvent.keyDown(field, { key: 'c' });
  fireEvent.keyDown(field, { key: 'z', ctrlKey: true });
  fireEvent.keyDown(field, { key: 'k', ctrlKey: true });
  fireEvent.keyDown(field, { key: '/' });
  expect(done).toEqual(['mod+k,/']);
});

test('behind an open dialog nothing happens', () => {
  render(
    <>
      <Screen shortcuts={[{ keys: 'c' }]} />
      <div role="dialog" aria-modal="true" />
    </>,
  );
  press('c');
  expect(done).toEqual([]);
});

test('a platform dialog is one only where it is modal', () => {
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

test('characters can be switched off in this browser; the rest stays', () => {
  render(<Screen shortcuts={[{ keys: 'c' }, { keys: 'mod+k' }, { keys: 'Delete' }]} />);
  setShortcutsOn(false);
  press('c');
  press('k', { ctrlKey: true });
  press('Delete');
  expect(done).toEqual(['mod+k', 'Delete']);
});

test('the newest registration of a key counts, and one that has nothing to act on lets the key through', () => {
  render(
    <>
      <Screen shortcuts={[{ keys: 'e', run: () => done.push('below') }]} />
      <Screen shortcuts={[{ keys: 'e', active: false }]} />
    </>,
  );
  press('e');
  expect(done).toEqual(['below']);
});

test('a key that is held down acts once, but for what may repeat', () => {
  render(<Screen shortcuts={[{ keys: 'c' }, { keys: 'j', repeats: true }]} />);
  press('c');
  press('c', { repeat: true });
  press('j');
  press('j', { repeat: true });
  expect(done).toEqual(['c', 'j', 'j']);
});
