import type { EventBody } from '#kernel/event.ts';
import type { Shown } from './event-view.ts';

export type BodyPart = Pick<Shown, 'body' | 'core' | 'when'>;

/** What one instance shows. */
export function partOf(body: EventBody, recId: string): BodyPart {
  if (body.kind === 'withheld') return { body: body.kind, core: null, when: null };
  if (body.kind === 'instances') return { body: body.kind, core: null, when: null, ...body.list[recId] };
  const own = body.kind === 'series' ? body.overrides[recId] : undefined;
  return { body: body.kind, core: own?.core ?? body.core, when: own?.when ?? body.when };
}
