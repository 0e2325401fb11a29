import { useCallback } from 'react';
import type { GridEvent } from './grid-event.ts';
import { barsBehind, type WeekPlan } from './place-week.ts';
import { ViewCard, type ViewCardProps } from './view-card.tsx';

export interface WeekCardProps extends Omit<ViewCardProps, 'behind'> {
  plan: WeekPlan;
  firstDay: number;
  /** Bars in view before the rest is behind a chip. */
  maxBarRows: number;
}

/** The grid's card. A chunk of its own: the week is on screen before anybody asks for details. */
export function WeekCard({ plan, firstDay, maxBarRows, ...card }: WeekCardProps) {
  const behind = useCallback(
    (chip: HTMLElement) => ({
      dayNumber: firstDay + Number(chip.dataset.column),
      events: eventsBehind(plan, chip, maxBarRows),
    }),
    [firstDay, plan, maxBarRows],
  );
  return <ViewCard {...card} behind={behind} />;
}

/** The events behind a "+N" chip, which says its column and minute (the all-day row's: -1) in its attributes. */
function eventsBehind(plan: WeekPlan, chip: { dataset: DOMStringMap }, maxBarRows: number): GridEvent[] {
  const column = Number(chip.dataset.column);
  const minute = Number(chip.dataset.more);
  const day = plan.days[column];
  if (minute === -1) {
    return chip.dataset.rail === undefined
      ? barsBehind(plan.bars, column, maxBarRows).map((bar) => bar.event)
      : (day?.dayBlocks ?? []);
  }
  const found = (chip.dataset.rail === undefined ? day?.more : day?.rails)?.find((more) => more.startMinute === minute);
  return found === undefined ? [] : found.items.map((item) => item.event);
}
