import { expect, test } from 'vitest';
import type { KeptCalendar } from './kept-calendar.ts';
import { simulateMirrors } from './mirror-simulation.ts';

/** The seeds of the histories. `SEEDS=200 FROM=1000 STEPS=30 npm run test:slow -- test/simulation` plays more. */
const seeds = Array.from({ length: Number(process.env.SEEDS ?? 3) }, (_, n) => Number(process.env.FROM ?? 1) + n);
const providers = (process.env.PROVIDERS ?? 'caldav,google,microsoft').split(',') as KeptCalendar['provider'][];
const steps = Number(process.env.STEPS ?? 12);

test.each(seeds)(
  'simulated history %i settles, and every calendar blocks the busy time of the others',
  {
    timeout: 120_000,
  },
  async (seed) => {
    const { faults, story } = await simulateMirrors(seed, steps, providers);
    expect(faults, `${faults[0]}\n${story.join('\n')}`).toEqual([]);
  },
);
