import { loadZone } from '#kernel/time/zones.ts';
import { type Bench, type Contender, interleave, median, ratio } from './harness.ts';
import { openFloorZone } from './recurrence-floor.ts';

const id = 'America/New_York';

/** Local times all over 2000 to 2040 in no order: the hardest case for a cache of the last answer. */
function scattered(count: number): number[] {
  let state = 42;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Date.UTC(2000, 0, 1) + Math.floor((state / 2_147_483_648) * 40 * 365.25 * 86_400) * 1_000;
  });
}

function contender(name: string, times: number[], convert: (localMs: number) => number): Contender {
  return {
    name,
    run() {
      const started = performance.now();
      let sum = 0;
      for (const localMs of times) sum += convert(localMs);
      const us = ((performance.now() - started) * 1_000) / times.length;
      if (Number.isNaN(sum)) throw new Error(`${name} gave no number`);
      return us;
    },
  };
}

function byTemporal(localMs: number): number {
  const wall = Temporal.Instant.fromEpochMilliseconds(localMs).toZonedDateTimeISO('UTC').toPlainDateTime();
  return wall.toZonedDateTime(id).epochMilliseconds;
}

const format = new Intl.DateTimeFormat('en-US', {
  timeZone: id,
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** The offset by formatting, asked twice: what date libraries without Temporal do. */
function byIntl(localMs: number): number {
  const offsetAt = (ms: number): number => {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute, part.second) - ms;
  };
  return localMs - offsetAt(localMs - offsetAt(localMs));
}

/** Z1: local time to instant. */
export const zonesBench: Bench = {
  rows: ['Z1'],
  async run(_wanted, options, print) {
    const zone = loadZone(id);
    if (zone === null) throw new Error(id);
    const floor = openFloorZone(id, 1999, 2042);
    const many = scattered(options.quick ? 20_000 : 400_000);
    const few = many.slice(0, 20_000);
    const inOrder = many.map((_, i) => Date.UTC(2026, 0, 1) + i * 900_000);
    for (const localMs of few) {
      if (zone.toInstant(localMs) !== byTemporal(localMs)) throw new Error(`Not Temporal's instant: ${localMs}`);
    }
    const samples = await interleave(
      [
        contender('ours', many, (localMs) => zone.toInstant(localMs)),
        contender('floor', many, (localMs) => floor.toInstant(localMs)),
        contender('in order', inOrder, (localMs) => zone.toInstant(localMs)),
        contender('Temporal', few, byTemporal),
        contender('Intl twice', few.slice(0, 4_000), byIntl),
      ],
      options.quick ? 3 : 15,
      options.quick ? 1 : 4,
    );
    const ours = median(samples.ours!);
    print({
      id: 'Z1',
      what: `local time to instant, scattered over 2000 to 2040, ${id}`,
      unit: 'us',
      ours,
      floor: median(samples.floor!),
      peers: { Temporal: median(samples.Temporal!), 'Intl twice': median(samples['Intl twice']!) },
      gate: '<= 0.03 us',
      passed: options.quick ? null : ours <= 0.03,
      note: `in order ${median(samples['in order']!).toFixed(4)} us; ${ratio(samples, 'Temporal', 'ours').toFixed(0)}x Temporal, ${ratio(samples, 'ours', 'floor').toFixed(2)}x floor`,
    });
  },
};
