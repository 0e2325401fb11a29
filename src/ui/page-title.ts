/** Focus that would be lost with the element that had it goes to the page's heading, as after a change of page. */
export function focusPageTitle(): void {
  document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true });
}

let titleWentWithFocus = false;

/** Ref of a heading that another state of its page replaces by a heading of its own: the focus moves along. */
export function keepTitleFocus(title: HTMLElement | null): (() => void) | undefined {
  if (title === null) return undefined;
  if (titleWentWithFocus) title.focus({ preventScroll: true });
  titleWentWithFocus = false;
  return () => {
    titleWentWithFocus = document.activeElement === title;
  };
}
