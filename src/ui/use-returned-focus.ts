import { useCallback, useLayoutEffect, useRef } from 'react';
import { focusPageTitle } from './page-title.ts';

/** The opener of a dialog, and its group of tab stops. */
interface Opener {
  element: HTMLElement;
  group: HTMLElement | null;
}

/** Openers of dialogs that have just closed: a dialog that replaces one has the same opener. */
let owed: (Opener | undefined)[] = [];

/**
 * Focus goes back to what opened a dialog. The library gives it back when one closes; one that is taken out of the tree
 * while open does not close. Where the opener is gone it is the one tab stop of its group (`data-roving`), else the
 * heading of the page. Gives a function that does it, for a dialog that closes.
 */
export function useReturnedFocus(opened: boolean): () => void {
  const opener = useRef<Opener>(undefined);
  // With the very commit that brings it: a moment later the focus may be in the dialog itself.
  useLayoutEffect(() => {
    if (!opened) return;
    const { activeElement: element } = document;
    if (element instanceof HTMLElement && element !== document.body) {
      opener.current = { element, group: element.closest<HTMLElement>('[data-roving]') };
    } else opener.current = owed.find(placeOf) ?? owed[0];
    owed = [];
    return () => {
      // one of several dialogs that close at once may have opened another
      if (owed.length === 0) requestAnimationFrame(settle);
      owed.push(opener.current);
    };
  }, [opened]);
  return useCallback(() => giveBack([opener.current]), []);
}

function settle(): void {
  const openers = owed;
  owed = [];
  // no opener is left if another dialog replaced them
  if (openers.length > 0) giveBack(openers);
}

function giveBack(openers: readonly (Opener | undefined)[]): void {
  if (document.activeElement !== document.body) return;
  const place = openers.map(placeOf).find(Boolean);
  if (place) place.focus();
  else focusPageTitle();
}

/** Where the focus goes back to, if that is still on the page. */
function placeOf(opener: Opener | undefined): HTMLElement | undefined {
  const places = [opener?.element, opener?.group?.querySelector<HTMLElement>('[tabindex="0"]')];
  return places.find((one) => one?.isConnected) ?? undefined;
}
