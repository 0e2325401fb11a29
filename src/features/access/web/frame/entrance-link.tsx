import type { MouseEvent, ReactNode } from 'react';
import { type Carried, entranceAt, useEntrance } from './use-entrance.ts';

export interface EntranceLinkProps {
  to: string;
  /** The page that was wanted. */
  from?: string | undefined;
  carried?: () => Carried;
  className?: string | undefined;
  children: ReactNode;
}

/** To another entrance, without loading what is here already. */
export function EntranceLink({ to, from, carried, ...rest }: EntranceLinkProps) {
  const follow = useFollow();
  const href = entranceAt(to, from);
  return <a {...rest} href={href} onClick={(event) => follow(event, carried?.())} />;
}

/** The click handler of a link. The browser still handles special clicks, such as a new tab. */
export function useFollow(): (event: MouseEvent<HTMLAnchorElement>, carried?: Carried) => void {
  const { go } = useEntrance();
  return (event, carried) => {
    const { pathname, search } = event.currentTarget;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(pathname + search, { carried });
  };
}
