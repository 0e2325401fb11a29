import { expect, test } from 'vitest';
import { mirrorHealthOf, type Standing } from './mirror-health.ts';

const block = (recId: string, targetId: string, state: Standing['state']): Standing => ({ recId, targetId, state });

test('mirror health of a single event counts one mirror per target and skipped mirrors separately', () => {
  const standings = [block('', 'a', 'created'), block('', 'b', 'failed'), block('', 'c', 'skipped')];
  expect(mirrorHealthOf('', standings)).toEqual({ total: 2, created: 1, pending: 0, failed: 1, skipped: 1 });
  expect(mirrorHealthOf('', []).total).toBe(0);
});

test('an instance uses its own mirror where one exists, else the mirror of its series', () => {
  const standings = [block('', 'a', 'created'), block('20270308', 'a', 'pending'), block('', 'b', 'created')];
  expect(mirrorHealthOf('20270308', standings)).toMatchObject({ total: 2, created: 1, pending: 1 });
  expect(mirrorHealthOf('20270315', standings)).toMatchObject({ total: 2, created: 2, pending: 0 });
});

test('mirror health ignores the mirrors of other instances', () => {
  const standings = [block('20270308', 'a', 'failed'), block('20270315', 'a', 'created')];
  expect(mirrorHealthOf('20270315', standings)).toMatchObject({ total: 1, created: 1, failed: 0 });
});
