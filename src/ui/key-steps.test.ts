import { expect, test } from 'vitest';
import { isCharacter, isPressOf, keyCaps, parseKeys } from './key-steps.ts';

function isPressed(keys: string, press: Partial<KeyboardEvent> & { key: string }, mac = false): boolean {
  const [step] = parseKeys(keys);
  if (step === undefined) throw new Error(`No step in ${keys}`);
  const none = { code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  return isPressOf(step, { ...none, ...press }, mac);
}

test('the mod key is Cmd on a Mac and Ctrl elsewhere', () => {
  expect(isPressed('mod+k', { key: 'k', ctrlKey: true })).toBe(true);
  expect(isPressed('mod+k', { key: 'k', metaKey: true })).toBe(false);
  expect(isPressed('mod+k', { key: 'k', metaKey: true }, true)).toBe(true);
  expect(isPressed('mod+k', { key: 'k', ctrlKey: true }, true)).toBe(false);
  expect(isPressed('k', { key: 'k', ctrlKey: true })).toBe(false);
});

test('a symbol key matches with or without Shift, and a letter only as declared', () => {
  expect(isPressed('?', { key: '?', shiftKey: true })).toBe(true);
  expect(isPressed('?', { key: '?' })).toBe(true);
  expect(isPressed('/', { key: '/', shiftKey: true })).toBe(true);
  expect(isPressed('c', { key: 'C', shiftKey: true })).toBe(false);
  expect(isPressed('mod+shift+z', { key: 'Z', shiftKey: true, ctrlKey: true })).toBe(true);
});

test('a letter key matches with Caps Lock and in the same place of another alphabet', () => {
  expect(isPressed('c', { key: 'C' })).toBe(true);
  expect(isPressed('c', { key: 'с', code: 'KeyC' })).toBe(true);
  expect(isPressed('c', { key: 'j', code: 'KeyC' })).toBe(false);
});

test('character shortcuts are those without Ctrl or a named key', () => {
  expect(['c', 'g d', '?'].map((keys) => isCharacter(parseKeys(keys)))).toEqual([true, true, true]);
  expect(['mod+k', 'Delete', 'shift+ArrowUp'].map((keys) => isCharacter(parseKeys(keys)))).toEqual([
    false,
    false,
    false,
  ]);
});

test('key labels match the keyboard of the platform', () => {
  expect(keyCaps('mod+k', true)).toEqual([['⌘', 'K']]);
  expect(keyCaps('mod+k', false)).toEqual([['Ctrl', 'K']]);
  expect(keyCaps('g d', false)).toEqual([['G'], ['D']]);
  expect(keyCaps('shift+ArrowUp', false)).toEqual([['Shift', '↑']]);
});
