import { useEffect } from 'react';
import { focusPageTitle } from './page-title.ts';

/**
 * Focus goes back to what opened a dialog. The library gives it back when one closes; one that is taken out of the tree
 * while open does not close.
 */
export function useReturnedFocus(opened: boolean): void {
  useEffect(() => {
    if (!opened) return;
    const opener = document.activeElement;
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
        else focusPageTitle();
      });
    };
  }, [opened]);
}
