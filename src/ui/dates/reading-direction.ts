/** 1 where text runs from left to right and days go on to the right, -1 where both run to the left. */
export function readingDirection(element: Element): 1 | -1 {
  return getComputedStyle(element).direction === 'rtl' ? -1 : 1;
}
