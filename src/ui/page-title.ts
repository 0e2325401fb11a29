/**
 * Focus that would be lost with the element that had it goes to the page's heading, as after a change of page; on a page
 * that is about one field, to that field. False where there is neither.
 */
export function focusPageTitle(): boolean {
  const places = ['[data-page-focus]', '[data-page-title]'].map((one) => document.querySelector<HTMLElement>(one));
  const place = places.find((one) => one !== null);
  place?.focus({ preventScroll: true });
  return place !== undefined;
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
