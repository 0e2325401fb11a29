import { type LaunchedEmulator, launch } from '#emulators/caldav/launch.ts';
import { createFaithfulTables } from './faithful-client.ts';
import type { Bench, BenchOptions, BenchRow } from './harness.ts';
import { createFloorTables } from './minimal-client.ts';
import { type OurEngine, openOurEngine } from './our-engine.ts';
import { measureChanges, measureLatency, measureQuietPasses } from './sync-changes.ts';
import { measureFarMirror, measureFastMirror, measureSeriesRequests } from './sync-initial.ts';
import { measureQuietRadicale, measureRealServers } from './sync-servers.ts';
import { openThrowAwayDatabase, type ThrowAwayDatabase } from './throw-away-database.ts';

/** The tools of the mirroring benches. */
export interface SyncWorld {
  database: ThrowAwayDatabase;
  engine: OurEngine;
  emulator: LaunchedEmulator;
  options: BenchOptions;
  print(row: BenchRow): void;
}

const MEASURES: Record<string, (world: SyncWorld) => Promise<void>> = {
  M1: measureFarMirror,
  M2: measureFastMirror,
  M3: measureRealServers,
  M4: measureQuietRadicale,
  M5: measureQuietPasses,
  M6: measureChanges,
  M7: measureLatency,
  M9: measureSeriesRequests,
};

const NOT_MEASURED = {
  what: 'not measured',
  unit: '',
  ours: null,
  floor: null,
  peers: {},
  gate: 'to be measured',
  passed: false,
};

/** M1 to M7 and M9: reading one calendar and keeping its blocks in another. */
export const syncBench: Bench = {
  rows: Object.keys(MEASURES),
  async run(wanted, options, print) {
    const database = await openThrowAwayDatabase();
    try {
      await createFloorTables(database.pool);
      await createFaithfulTables(database.pool);
      for (const [id, measure] of Object.entries(MEASURES)) {
        if (!wanted.has(id)) continue;
        // Each row begins with an engine that has learned nothing yet.
        const engine = await openOurEngine(database.url);
        const emulator = await launch();
        try {
          await measure({ database, engine, emulator, options, print });
        } catch (error) {
          // A row that cannot be measured is a row not kept; the others are still worth having.
          console.error(error);
          print({ ...NOT_MEASURED, id, note: error instanceof Error ? error.message : String(error) });
        } finally {
          await emulator.stop();
          await engine.close();
        }
      }
    } finally {
      await database.close();
    }
  },
};
