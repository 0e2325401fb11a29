import type { ComponentProps } from 'react';
import type { PlaceLink } from './use-visit.ts';

/** A link to another place on the page: real without script, and without leaving the page with it. */
export function GoLink({ to, ...rest }: { to: PlaceLink } & Omit<ComponentProps<'a'>, 'href' | 'onClick'>) {
  return <a {...rest} href={to.href} onClick={to.onClick} suppressHydrationWarning />;
}
