import { createRandom } from '#emulators/kit/random.ts';
import type { MeshAccount, MeshEvent } from '../test/harness/mesh-accounts.ts';

/** Instances of each series. */
export const weeks = 26;

/** Blocks that one calendar's events are in one calendar of each kind of provider, by what it can do. */
export interface Shapes {
  singles: number;
  series: number;
  /** Series with one instance cancelled and one moved. */
  broken: number;
}

export function shapesOf(count: number): Shapes {
  const series = Math.floor(count / 10);
  return { singles: count - series, series, broken: Math.floor(count / 20) };
}

/** The fewest objects that show a series and its exceptions there. */
export function blocksOf({ singles, series, broken }: Shapes, provider: MeshAccount['provider']): number {
  switch (provider) {
    case 'caldav':
      return singles + series;
    // a moved instance is cut out of its series and stands beside it
    case 'google':
      return singles + series + broken;
    // each instance separately, less the cancelled ones
    case 'microsoft':
      return singles + series * weeks - broken;
  }
}

/** One event in ten a weekly series of 26, half of these with a cancelled and a moved instance, over 150 days. */
export function eventsOf(account: string, calendar: number, count: number, seed: number): MeshEvent[] {
  const random = createRandom(seed);
  const first = Temporal.Now.plainDateISO('UTC').add({ days: 1 });
  return Array.from({ length: count }, (_, n) => {
    const start = first
      .add({ days: Math.floor(random() * 150) })
      .toPlainDateTime({ hour: 8 + Math.floor(random() * 10), minute: 15 * Math.floor(random() * 4) });
    const minutes = 30 * (1 + Math.floor(random() * 4));
    const series = n % 10 === 9 ? { weeks, exceptions: n % 20 === 19 } : {};
    return { title: titleOf(account, calendar, n), start, minutes, ...series };
  });
}

export const titleOf = (account: string, calendar: number, n: number) =>
  `${account.split('@')[0]} ${calendar} meeting ${n}`;
