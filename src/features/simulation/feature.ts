import type { Feature } from '#platform/feature.ts';
import { closeSimulations } from './close-simulations.ts';

/**
 * Owns: emulated Google, Microsoft and others inside this process, for people who try Holdfast without an account there.
 * Announces: nothing.
 * Never: stands in the way of the real ones; connections treats its accounts as it treats theirs.
 */
export const simulation: Feature = {
  name: 'simulation',
  start: async (app) => () => closeSimulations(app),
};
