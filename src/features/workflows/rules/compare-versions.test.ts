import { expect, test } from 'vitest';
import type { StepId } from '#kernel/ids.ts';
import { compareVersions } from './compare-versions.ts';
import type { Definition } from './definition.ts';

const step = (id: string, subject = 'Soon'): Definition['steps'][number] => ({
  id: id as StepId,
  action: { kind: 'send-email', to: 'guest', subject, body: 'Hello', ics: false },
});
const base: Definition = {
  trigger: 'before-event',
  offset: { amount: 24, unit: 'hours' },
  filter: { event_type_ids: null },
  if_past: 'skip',
  if_late: 'skip',
  quiet_hours: null,
  steps: [step('a'), step('b')],
};

test('a workflow version with reordered keys counts as unchanged', () => {
  const turned = {
    ...base,
    steps: base.steps.map(({ id, action }) => ({
      id,
      action: Object.fromEntries(Object.entries(action).toReversed()) as typeof action,
    })),
  };
  expect(compareVersions(base, turned)).toEqual([]);
});

test.each<[Partial<Definition>, unknown[]]>([
  [{ trigger: 'after-event' }, [{ what: 'trigger' }]],
  [{ offset: { amount: 1, unit: 'days' } }, [{ what: 'timing' }]],
  [{ filter: { event_type_ids: ['t' as never] } }, [{ what: 'filter' }]],
  [{ quiet_hours: { from: '21:00', to: '08:00' } }, [{ what: 'exceptions' }]],
  [{ if_late: 'send' }, [{ what: 'exceptions' }]],
  [{ steps: [step('b'), step('a')] }, [{ what: 'order' }]],
  [{ steps: [step('a'), step('b', 'Now')] }, [{ what: 'changed', n: 2, kind: 'send-email' }]],
  [
    { steps: [step('c'), step('b')] },
    [
      { what: 'removed', n: 1, kind: 'send-email' },
      { what: 'added', n: 1, kind: 'send-email' },
    ],
  ],
])('a workflow version change is described: %j', (change, told) => {
  expect(compareVersions(base, { ...base, ...change })).toEqual(told);
});
