import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useId } from 'react';
import type { Zone } from '#kernel/time/zones.ts';
import type { CardWords } from './card-words.ts';
import type { GridEvent } from './grid-event.ts';
import type { TimeLabels } from './time-labels.ts';
import { useFloatingCard } from './use-floating-card.ts';

const loadGridCard = async () => ({ default: (await import('./grid-card.tsx')).GridCard });
const GridCard = lazy(loadGridCard);

export interface ViewCardProps {
  /** Holds the elements that say `data-event` or `data-more`. */
  root: RefObject<HTMLElement | null>;
  events: readonly GridEvent[];
  /** What is behind a "+N". */
  behind: (chip: HTMLElement) => { dayNumber: number; events: readonly GridEvent[] };
  zone: Zone;
  labels: TimeLabels;
  words: CardWords;
  conflictOf: (eventId: string) => string | undefined;
  renderMirrors: (event: GridEvent) => ReactNode;
}

/** The one card of a month or an agenda: on hover and focus, pinned by a press. */
export function ViewCard({ root, events, behind, ...rest }: ViewCardProps) {
  const titleId = useId();
  const card = useFloatingCard(root);
  const { target, close } = card;
  // Fetched once the view stands, so that the first card opens at once.
  useEffect(() => void loadGridCard(), []);
  useEffect(() => {
    // The event went away (deleted elsewhere, filtered, another month) while its card was open.
    if (target !== undefined && !target.anchor.isConnected) close();
  });
  if (target === undefined) return null;
  const shown = target.kind === 'more' ? behind(target.anchor) : events.find((event) => event.id === target.eventId);
  if (shown === undefined) return null;
  return (
    <Suspense fallback={null}>
      <GridCard card={card} titleId={titleId} shown={shown} {...rest} />
    </Suspense>
  );
}
