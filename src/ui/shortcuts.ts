import { useEffect, useRef } from 'react';
import { isCharacter, isMac, isPressOf, type KeyStep, parseKeys } from './key-steps.ts';

/** A key and what it does, as a screen registers it and the keyboard sheet lists it. */
export interface Shortcut {
  /** `c`, `mod+k` (Cmd on a Mac, Ctrl elsewhere), `shift+ArrowUp`, `g d` (one after the other); several mean the same. */
  keys: string | readonly string[];
  /** Action of the shortcut, in the reader's language. */
  label: string;
  /** Heading in the sheet, in the reader's language. */
  group: string;
  /** Absent where a part of the screen hears the key itself; it is listed all the same. */
  run?: (event: KeyboardEvent) => void;
  /** For the palette, asked when it opens: the same for what has the focus then; null: nothing that it would act on. */
  command?: () => { detail: string; run: () => void } | null;
  /** False: listed, but not now: nothing is selected that it would act on. */
  active?: boolean;
  /** Also while the key is held down. */
  repeats?: boolean;
  /**
   * Opens a field. Its keys act while somebody types too, except characters. Characters that are typed until the field is
   * there are kept for it (`takeEarlyText`).
   */
  opensField?: boolean;
}

/** Within this time the second key of a sequence belongs to the first. */
const SEQUENCE_MS = 1_500;
/** In `localStorage`; `off`: shortcuts of plain characters (`c`, `g d`) rest in this browser. */
export const shortcutsKey = 'holdfast-shortcuts';

/** Shortcuts of the open screens; a later one overrides an earlier one. */
const registered: { current: readonly Shortcut[] }[] = [];

/** Characters typed for a field that is being opened. A field that has not opened within EARLY_MS has failed. */
let early: string | undefined;
const EARLY_MS = 5_000;

let pending: { first: KeyboardEvent; timer: ReturnType<typeof setTimeout> } | undefined;

/**
 * Registers shortcuts for as long as the component is there: `useShortcuts([{ keys: 'c', label, group, run }])`. They
 * rest while somebody types and while a menu or a dialog is open; those that are characters also when they are switched
 * off. The newest registration of a key counts.
 */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    // adding a listener twice adds it once
    window.addEventListener('keydown', onKeyDown);
    registered.push(latest);
    return () => {
      registered.splice(registered.indexOf(latest), 1);
    };
  }, []);
}

/** Characters that somebody typed while a field was opening. Later ones do what they do elsewhere. */
export function takeEarlyText(): string {
  const text = early ?? '';
  early = undefined;
  return text;
}

/** Everything that is registered now, in the order of the sheet. */
export function listShortcuts(): Shortcut[] {
  return registered.flatMap(({ current }) => current);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
  if (early !== undefined && event.key.length < 2 && !(event.ctrlKey || event.metaKey || event.altKey)) {
    early += event.key;
    event.preventDefault();
    return;
  }
  const first = pending?.first;
  endSequence();
  if (isBehindDialog()) return;
  const possible = listShortcuts()
    .reverse()
    .filter(({ run, active }) => run !== undefined && active !== false)
    .flatMap((shortcut) => [shortcut.keys].flat().map((keys) => ({ shortcut, steps: parseKeys(keys) })))
    .filter(({ shortcut, steps }) => !isTyping(event) || (shortcut.opensField && !isCharacter(steps)))
    .filter(({ steps }) => !isCharacter(steps) || areCharactersOn());

  const second = first && possible.find(({ steps }) => steps.length === 2 && pressed(steps, [first, event]));
  const found = second ?? possible.find(({ steps }) => steps.length === 1 && pressed(steps, [event]));
  if (found !== undefined) {
    event.preventDefault();
    if (found.shortcut.opensField) {
      early = '';
      setTimeout(takeEarlyText, EARLY_MS);
    }
    if (!event.repeat || found.shortcut.repeats) found.shortcut.run?.(event);
  } else if (possible.some(({ steps }) => steps.length === 2 && pressed(steps, [event]))) {
    pending = { first: event, timer: setTimeout(endSequence, SEQUENCE_MS) };
  }
}

/** The library's dialogs, and the platform's where they are modal. */
function isBehindDialog(): boolean {
  if (document.querySelector('[aria-modal="true"]') !== null) return true;
  return [...document.querySelectorAll('dialog[open]')].some((dialog) => dialog.matches(':modal'));
}

function pressed(steps: readonly KeyStep[], presses: readonly KeyboardEvent[]): boolean {
  return presses.every((press, index) => {
    const step = steps[index];
    return step !== undefined && isPressOf(step, press, isMac);
  });
}

function endSequence(): void {
  clearTimeout(pending?.timer);
  pending = undefined;
}

const typedInto =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), textarea, select, ' +
  '[contenteditable]:not([contenteditable="false"]), [role="menu"], [role="listbox"], [role="combobox"], [role="textbox"]';

function isTyping(event: KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.closest(typedInto) !== null;
}

export function areCharactersOn(): boolean {
  return localStorage.getItem(shortcutsKey) !== 'off';
}
