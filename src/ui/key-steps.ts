/** One press: a key as `KeyboardEvent.key` names it, and what is held with it. */
export interface KeyStep {
  key: string;
  /** Cmd on a Mac, Ctrl elsewhere. */
  mod: boolean;
  alt: boolean;
  /** Undefined where the character itself says it: `?` needs Shift on one keyboard and none on another. */
  shift: boolean | undefined;
}

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** `c`, `mod+k`, `shift+ArrowUp`, and one after the other: `g d`. */
export function parseKeys(keys: string): KeyStep[] {
  return keys.split(' ').map((step) => {
    const held = step.split('+');
    const key = held.pop() ?? '';
    const isSign = key.length === 1 && !/[a-z]/i.test(key);
    return {
      key: key.length === 1 ? key.toLowerCase() : key,
      mod: held.includes('mod'),
      alt: held.includes('alt'),
      shift: isSign ? undefined : held.includes('shift'),
    };
  });
}

export function isPressOf(step: KeyStep, press: Press, isMac: boolean): boolean {
  const mod = isMac ? press.metaKey : press.ctrlKey;
  const other = isMac ? press.ctrlKey : press.metaKey;
  if (mod !== step.mod || other || press.altKey !== step.alt) return false;
  if (step.shift !== undefined && press.shiftKey !== step.shift) return false;
  return keyOf(press) === step.key;
}

/** A keyboard with another alphabet has the same places: its key on the place of C is `c`. */
function keyOf({ key, code }: Press): string {
  if (key.length !== 1) return key;
  const place = /^Key([A-Z])$/.exec(code)?.[1];
  return (key.charCodeAt(0) > 127 && place !== undefined ? place : key).toLowerCase();
}

/** Typed by somebody who dictates or rests a hand on the keyboard: such shortcuts can be switched off (WCAG 2.1.4). */
export function isCharacter([first]: readonly KeyStep[]): boolean {
  return first !== undefined && first.key.length === 1 && !first.mod && !first.alt;
}

const signs: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Delete: 'Del',
};

/** Returns the labels of the keys, one list per press: `[['⌘', 'K']]`, `[['G'], ['D']]`. */
export function keyCaps(keys: string, isMac: boolean): string[][] {
  return parseKeys(keys).map((step) => [
    ...(step.mod ? [isMac ? '⌘' : 'Ctrl'] : []),
    ...(step.alt ? [isMac ? '⌥' : 'Alt'] : []),
    ...(step.shift ? [isMac ? '⇧' : 'Shift'] : []),
    signs[step.key] ?? (step.key.length === 1 ? step.key.toUpperCase() : step.key),
  ]);
}

export const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform);
