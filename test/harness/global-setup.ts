import type { TestProject } from 'vitest/node';
import { mailJobs } from '#platform/mail-delivery.ts';
import { features } from '../../src/features.ts';
import { startTestCluster } from './test-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    clusterUrl: string;
  }
}

/** One cluster for the whole run; every test file clones its own database from its template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // each app would make its 80 queues
  const cluster = await startTestCluster([...mailJobs, ...features.flatMap(({ jobs = [] }) => jobs)]);
  project.provide('clusterUrl', cluster.url);
  return cluster.close;
}
