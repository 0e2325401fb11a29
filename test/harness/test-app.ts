import { inject } from 'vitest';
import { cloneTemplate, type TestDatabase } from './test-cluster.ts';

/** A database of the test file's own. Close it in `afterAll`. */
export function createTestDatabase(): Promise<TestDatabase> {
  return cloneTemplate(inject('clusterUrl'));
}
