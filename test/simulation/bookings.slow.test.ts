import { expect, test } from 'vitest';
import { runs } from '../harness/law-budget.ts';
import { simulateBookings } from './booking-simulation.ts';

/** The seeds of the histories. `SEEDS=100 FROM=1000 STEPS=60 npm run test:slow -- test/simulation` plays more. */
const count = Number(process.env.SEEDS ?? runs(3));
const seeds = Array.from({ length: count }, (_, n) => Number(process.env.FROM ?? 1) + n);
const groups = Number(process.env.STEPS ?? 25);

test.each(seeds)(
  'in simulated bookings %i everybody is told what concerns them, once, and all of it is true',
  { timeout: 300_000 },
  async (seed) => {
    const { faults, story } = await simulateBookings(seed, groups);
    expect(faults, `seed ${seed}: ${faults[0]}\n${story.join('\n')}`).toEqual([]);
  },
);
