import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Draws its children as the last ones of an element that is elsewhere on the page. */
export function Inside({ element, children }: { element: Element; children: ReactNode }) {
  return createPortal(children, element);
}
