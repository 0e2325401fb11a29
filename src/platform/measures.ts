import { Gauge, type Registry } from 'prom-client';
import type { Database } from './db.ts';

/**
 * Figures of the install that are read from the database when somebody asks `/metrics`: the same from every process. Labels
 * take few values, and none that says who somebody is.
 */
export interface Measure {
  gauges: readonly { name: `holdfast_${string}`; help: string; labels?: readonly string[] }[];
  /** One statement for all of them. */
  read(db: Database): Promise<readonly Sample[]>;
}

export interface Sample {
  name: `holdfast_${string}`;
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** Several collectors at once ask the database once. */
const keptMs = 5000;

export function addMeasures(registry: Registry, db: Database, measures: readonly Measure[]): void {
  for (const { gauges, read } of measures) {
    let readMs = Number.NEGATIVE_INFINITY;
    let samples: Promise<readonly Sample[]> = Promise.resolve([]);
    const load = () => {
      if (performance.now() - readMs > keptMs) {
        readMs = performance.now();
        // a database that is away is told by /readyz; the other figures are still of use
        samples = read(db).catch(() => []);
      }
      return samples;
    };
    for (const { name, help, labels = [] } of gauges) {
      new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        async collect() {
          this.reset();
          // one without labels would say 0 where nothing is known
          if (labels.length === 0) this.remove();
          for (const sample of await load()) if (sample.name === name) this.set(sample.labels ?? {}, sample.value);
        },
      });
    }
  }
}
