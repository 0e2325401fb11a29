import {
  type Bench,
  type BenchOptions,
  type BenchRow,
  type Contender,
  growth,
  interleave,
  median,
  ratio,
} from './harness.ts';
import { openFloor, openFloorZone } from './recurrence-floor.ts';
import {
  type Expansion,
  openFloatingRrule,
  openIcalJs,
  openOurs,
  openRrule,
  openRruleTemporal,
  zone,
} from './recurrence-peers.ts';
import { makeSeries, type TestSeries } from './recurrence-series.ts';

const from = Date.UTC(2026, 0, 1, 5);
const to = Date.UTC(2027, 0, 1, 5);

/** Microseconds an instance, over all series opened afresh: what a library remembers of the last window does not count. */
function contender(name: string, series: TestSeries[], open: (one: TestSeries) => Expansion): Contender {
  return {
    name,
    run() {
      const expansions = series.map(open);
      const started = performance.now();
      let instances = 0;
      for (const expand of expansions) instances += expand(from, to);
      return ((performance.now() - started) * 1_000) / instances;
    },
  };
}

function instancesOf(series: TestSeries[], open: (one: TestSeries) => Expansion): number[] {
  return series.map((one) => open(one)(from, to));
}

function medians(samples: Record<string, number[]>): Record<string, number> {
  return Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]));
}

async function measureCost(options: BenchOptions, print: (row: BenchRow) => void): Promise<void> {
  const floorZone = openFloorZone(zone, 2020, 2030);
  const all = makeSeries(1_000);
  const openTheFloor = (one: TestSeries) => openFloor(one, floorZone);
  // The slow ones expand a fair part of the mix, or a round would take half a minute.
  const some = makeSeries(20);
  const counted = { ours: instancesOf(all, openOurs), floor: instancesOf(all, openTheFloor) };
  for (const [name, open] of Object.entries({ openRruleTemporal, openFloatingRrule, openIcalJs, openRrule })) {
    const theirs = instancesOf(some, open);
    // Floating libraries may differ by one at the edges of the year.
    const apart = theirs.reduce((sum, count, i) => sum + Math.abs(count - counted.ours[i]!), 0);
    if (apart > 4) throw new Error(`${name} finds ${theirs.join()}, we find ${counted.ours.slice(0, 20).join()}`);
  }
  if (counted.ours.join() !== counted.floor.join())
    throw new Error('The floor and we find different numbers of instances.');

  const samples = await interleave(
    [
      contender('ours', all, openOurs),
      contender('floor', all, openTheFloor),
      contender('rrule-temporal', all.slice(0, 200), openRruleTemporal),
      contender('rrule, floating', all.slice(0, 100), openFloatingRrule),
      contender('ical.js, floating', all.slice(0, 40), openIcalJs),
      contender('rrule', some, openRrule),
    ],
    options.quick ? 3 : 15,
    options.quick ? 1 : 4,
  );
  const opening = await interleave(
    [
      {
        name: 'ours',
        run: () => {
          const started = performance.now();
          for (const one of all) openOurs(one);
          return ((performance.now() - started) * 1_000) / all.length;
        },
      },
    ],
    options.quick ? 3 : 15,
    3,
  );
  const { ours, floor, ...peers } = medians(samples);
  const faster = ratio(samples, 'rrule-temporal', 'ours');
  print({
    id: 'R1',
    what: `an instance of ${all.length} mixed series over a year, ${zone} (${counted.ours.reduce((a, b) => a + b)} instances)`,
    unit: 'us',
    ours: ours!,
    floor: floor!,
    peers,
    gate: '<= 0.1 us and 10x faster than rrule-temporal',
    passed: options.quick ? null : ours! <= 0.1 && faster >= 10,
    note: `${faster.toFixed(0)}x rrule-temporal, ${ratio(samples, 'ours', 'floor').toFixed(2)}x floor; opening a series ${median(opening.ours!).toFixed(2)} us`,
  });
}

async function measureAge(options: BenchOptions, print: (row: BenchRow) => void): Promise<void> {
  const floorZone = openFloorZone(zone, 1990, 2030);
  const openTheFloor = (one: TestSeries) => openFloor(one, floorZone);
  const ages = [1, 2, 4, 8, 16];
  const runs = (count: number, name: string, open: (one: TestSeries) => Expansion) => [
    contender(`${name}+0`, makeSeries(count, 0), open),
    contender(`${name}+12`, makeSeries(count, 12), open),
  ];
  const samples = await interleave(
    [
      ...runs(1_000, 'ours', openOurs),
      ...runs(1_000, 'floor', openTheFloor),
      ...runs(200, 'rrule-temporal', openRruleTemporal),
      ...runs(100, 'rrule, floating', openFloatingRrule),
      ...runs(40, 'ical.js, floating', openIcalJs),
    ],
    options.quick ? 3 : 15,
    options.quick ? 1 : 4,
  );
  const older = (name: string) => ratio(samples, `${name}+12`, `${name}+0`);
  const byAge = await interleave(
    ages.map((age) => contender(String(age), makeSeries(1_000, age), openOurs)),
    options.quick ? 5 : 25,
    3,
  );
  // Each age against the youngest of the same round: a busy machine slows both.
  const slope = growth(ages.map((age) => [age + 2, ratio(byAge, String(age), String(ages[0]))] as const));
  print({
    id: 'R2',
    what: 'the same 1,000 series begun 12 years earlier, times the cost',
    unit: 'x',
    ours: older('ours'),
    floor: older('floor'),
    peers: Object.fromEntries(
      ['rrule-temporal', 'rrule, floating', 'ical.js, floating'].map((name) => [name, older(name)]),
    ),
    gate: '<= 1.1x, growth with age <= 0.05',
    passed: options.quick ? null : older('ours') <= 1.1 && slope <= 0.05,
    note: `growth exponent over ages 3 to 18 years: ${slope.toFixed(3)}`,
  });
}

/** R1 and R2: what an instance costs, and whether old series cost more. */
export const recurrenceBench: Bench = {
  rows: ['R1', 'R2'],
  async run(wanted, options, print) {
    if (wanted.has('R1')) await measureCost(options, print);
    if (wanted.has('R2')) await measureAge(options, print);
  },
};
