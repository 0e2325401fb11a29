/** Returns the element that was pressed before listeners existed: it has the focus, and no keys brought it. */
export function pressedEarly(root: HTMLElement): HTMLElement | null {
  const early = document.activeElement;
  return early instanceof HTMLElement && root.contains(early) && !early.matches(':focus-visible') ? early : null;
}
