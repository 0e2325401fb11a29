import type { Endpoint } from '#kernel/contract.ts';
import { features } from '../../src/features.ts';

/** Every endpoint whose answer can hold a session, as `POST /path`. */
export function listDoors(): string[] {
  return features
    .flatMap((feature) => (feature.routes ?? []).flat())
    .map(({ endpoint }) => endpoint)
    .filter(givesSession)
    .map(({ method, path }) => `${method} ${path}`)
    .toSorted();
}

function givesSession({ output }: Endpoint): boolean {
  const { def } = output._zod as { def: { shape?: object } };
  return Object.keys(def.shape ?? {}).includes('session_token');
}
