import { type ReactNode, type RefObject, useContext, useEffect, useId, useImperativeHandle, useRef } from 'react';
import type { Zone } from '#kernel/time/zones.ts';
import type { CardWords, MarkWords } from './card-words.ts';
import { GridCard } from './grid-card.tsx';
import type { GridEvent } from './grid-event.ts';
import { OpenedEventContext } from './opened-event.ts';
import type { TimeLabels } from './time-labels.ts';
import { useFloatingCard } from './use-floating-card.ts';

/** Actions of a view on its card. */
export interface CardHandle {
  close(): void;
}

export interface ViewCardProps {
  /** Holds the elements that say `data-event` or `data-more`. */
  root: RefObject<HTMLElement | null>;
  handle?: RefObject<CardHandle | null>;
  events: readonly GridEvent[];
  /** The events behind a "+N". */
  behind: (chip: HTMLElement) => { dayNumber: number; events: readonly GridEvent[] };
  zone: Zone;
  labels: TimeLabels;
  words: CardWords;
  conflictOf: (eventId: string) => MarkWords | undefined;
  renderMirrors: (event: GridEvent) => ReactNode;
  /** An event was chosen by click or Enter. */
  onSelect?: ((event: GridEvent) => void) | undefined;
}

/** The one card of a week, a month or an agenda: on hover and focus, pinned by a press. */
export function ViewCard({ root, handle, events, behind, onSelect, ...rest }: ViewCardProps) {
  const titleId = useId();
  const card = useFloatingCard(root);
  const { opened, onClosed } = useContext(OpenedEventContext);
  const { target, close, moveTo, pinEvent } = card;
  useImperativeHandle(handle, () => ({ close }), [close]);
  useEffect(() => {
    if (target === undefined || target.anchor.isConnected) return;
    // while its card was open the event was redrawn on another day, or removed (deleted elsewhere, filtered)
    const again = target.kind === 'event' && elementOf(target.eventId, root.current);
    if (again) moveTo(again);
    else close();
  });
  const event = target?.kind === 'event' ? events.find(({ id }) => id === target.eventId) : undefined;
  const selected = target?.pinned ? event : undefined;
  const chosen = selected && target?.anchor;
  useEffect(() => {
    if (chosen?.dataset.event === undefined) return;
    chosen.dataset.selected = '';
    return () => {
      delete chosen.dataset.selected;
    };
  }, [chosen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each event that is chosen, not for its news
  useEffect(() => {
    if (selected !== undefined) onSelect?.(selected);
  }, [selected?.id]);
  const isThere = opened !== undefined && events.some(({ id }) => id === opened);
  useEffect(() => {
    const element = root.current;
    if (!isThere || element === null) return;
    const anchor = elementOf(opened, element);
    anchor?.scrollIntoView({ block: 'center', inline: 'nearest' });
    // Behind a "+N" it has no box of its own.
    pinEvent(opened, anchor ?? element);
  }, [opened, isThere, root, pinEvent]);
  const wasOpen = useRef<string>(undefined);
  useEffect(() => {
    const before = wasOpen.current;
    wasOpen.current = selected?.id;
    if (before !== undefined && before === opened && selected?.id !== opened) onClosed();
  }, [selected?.id, opened, onClosed]);
  if (target === undefined) return null;
  const shown = target.kind === 'more' ? behind(target.anchor) : event;
  if (shown === undefined) return null;
  return <GridCard card={card} titleId={titleId} shown={shown} {...rest} />;
}

function elementOf(eventId: string, root: HTMLElement | null): HTMLElement | null | undefined {
  return root?.querySelector<HTMLElement>(`[data-event="${CSS.escape(eventId)}"]`);
}
