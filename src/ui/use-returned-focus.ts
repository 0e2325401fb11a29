import { useCallback, useEffect, useRef } from 'react';
import { focusPageTitle } from './page-title.ts';

/** What opened a dialog, and the group of stops that it is one of. */
interface Opener {
  element: HTMLElement;
  group: HTMLElement | null;
}

/** Of a dialog that has just gone: another one that comes in its stead has the same opener. */
let owed: Opener | undefined;

/**
 * Focus goes back to what opened a dialog. The library gives it back when one closes; one that is taken out of the tree
 * while open does not close. Where the opener is gone it is the one tab stop of its group (`data-roving`), else the
 * heading of the page. Gives a function that does it, for a dialog that closes.
 */
export function useReturnedFocus(opened: boolean): () => void {
  const opener = useRef<Opener>(undefined);
  useEffect(() => {
    if (!opened) return;
    const { activeElement: element } = document;
    if (element instanceof HTMLElement && element !== document.body) {
      opener.current = { element, group: element.closest<HTMLElement>('[data-roving]') };
    } else opener.current = owed;
    owed = undefined;
    return () => {
      const gone = opener.current;
      owed = gone;
      requestAnimationFrame(() => {
        if (owed === gone) owed = undefined;
        giveBack(gone);
      });
    };
  }, [opened]);
  return useCallback(() => giveBack(opener.current), []);
}

function giveBack(opener: Opener | undefined): void {
  if (document.activeElement !== document.body) return;
  const places = [opener?.element, opener?.group?.querySelector<HTMLElement>('[tabindex="0"]')];
  const place = places.find((one) => one?.isConnected);
  if (place) place.focus();
  else focusPageTitle();
}
