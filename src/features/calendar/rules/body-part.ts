import type { EventBody } from '#kernel/event.ts';
import { changedInstance } from '#kernel/recurrence/split-series.ts';
import type { Shown } from './event-view.ts';

export type BodyPart = Pick<Shown, 'body' | 'core' | 'when'>;

/** The content of one instance. */
export function partOf(body: EventBody, recId: string): BodyPart {
  if (body.kind === 'withheld') return { body: body.kind, core: null, when: null };
  if (body.kind === 'instances') return { body: body.kind, core: null, when: null, ...body.list[recId] };
  const master = body.kind === 'split' ? body.series : body;
  const override = master.kind === 'series' ? master.overrides[recId] : undefined;
  const changed = body.kind === 'split' ? changedInstance(body, recId) : null;
  const { core, when } = override ?? (changed === null || changed === 'gone' ? master : changed);
  return { body: body.kind, core, when };
}
