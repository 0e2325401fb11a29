import { expect, test } from 'vitest';
import { type BlockState, mirrorHealthOf } from './mirror-health.ts';

const block = (recId: string, targetId: string, state: BlockState['state']): BlockState => ({ recId, targetId, state });

test('mirror health of a single event counts one mirror per target and skipped mirrors separately', () => {
  const states = [block('', 'a', 'created'), block('', 'b', 'failed'), block('', 'c', 'skipped')];
  expect(mirrorHealthOf('', states)).toEqual({ total: 2, created: 1, pending: 0, failed: 1, skipped: 1 });
  expect(mirrorHealthOf('', []).total).toBe(0);
});

test('an instance uses its own mirror where one exists, else the mirror of its series', () => {
  const states = [block('', 'a', 'created'), block('20270308', 'a', 'pending'), block('', 'b', 'created')];
  expect(mirrorHealthOf('20270308', states)).toMatchObject({ total: 2, created: 1, pending: 1 });
  expect(mirrorHealthOf('20270315', states)).toMatchObject({ total: 2, created: 2, pending: 0 });
});

test('mirror health ignores the mirrors of other instances', () => {
  const states = [block('20270308', 'a', 'failed'), block('20270315', 'a', 'created')];
  expect(mirrorHealthOf('20270315', states)).toMatchObject({ total: 1, created: 1, failed: 0 });
});
