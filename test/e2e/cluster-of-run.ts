import { startTestCluster } from '../harness/test-cluster.ts';

const variable = 'JOURNEYS_CLUSTER_URL';

/** One cluster for the whole run, in which each journey has a database of its own. */
export default async function startClusterOfRun(): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  process.env[variable] = cluster.url;
  return cluster.close;
}

/** Returns the database cluster of this run's workers. */
export function clusterOfRun(): string {
  const url = process.env[variable];
  if (url === undefined) throw new Error('the journeys have no cluster');
  return url;
}
