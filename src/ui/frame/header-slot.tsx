import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';
import { useMediaQuery } from '#ui/use-media-query.ts';

/** The place in the header of the frame for the controls of a screen; null where there is no frame. */
export const HeaderSlot = createContext<HTMLElement | null>(null);

/** Controls of a screen: in the header of the frame where that has room for them, else where they are. Paper has no header. */
export function HeaderControls({ children }: { children: ReactNode }) {
  const slot = useContext(HeaderSlot);
  const hasRoom = useMediaQuery('screen and (min-width: 1024px)');
  return hasRoom && slot !== null ? createPortal(children, slot) : children;
}
