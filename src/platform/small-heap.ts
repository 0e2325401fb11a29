import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext, Script } from 'node:vm';

/** The next collection comes when this much has been added to what was in use; V8's own is up to 300 where memory is plenty. */
const growthPercent = 50;
const stirMs = 60_000;
const restMs = 10_000;
/** CPU use below which the process counts as idle: nobody waits for it. */
const restUse = 0.05;
/** Garbage that justifies a collection, which takes a tenth of a second. */
const litterBytes = 4_000_000;

/**
 * Keeps this process near the size of its live data: V8 returns the memory of a burst once it is over.
 *
 * V8 shrinks the heap when little is being allocated. Since 13.1 it takes "nothing allocated on the C++ heap", which
 * Node always reports, for a maximal rate. It then keeps everything until a watchdog of 100 s, which each further
 * collection restarts. Half a minute after an initial mirror, that was 371 MB instead of 160. A compiled script lies on
 * that heap, and the rate stays above zero for some 110 s after it. Seen in Node 24 and 26 with --trace-memory-reducer
 * ("high alloc" without end).
 *
 * Remaining garbage, including the start's 25 MB, is collected when the process is idle.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`); // applies from the end of the next collection
  const stir = () => new Script('');
  stir();
  setInterval(stir, stirMs).unref();
  // glibc has read it; what this process starts, as Postgres with its larger blocks, is to allocate in its own way
  delete process.env.MALLOC_MMAP_THRESHOLD_;
  collectAtRest();
}

/** Ten seconds of little work, and more in use than after the last collection: nobody waits for this one. */
function collectAtRest(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let usedBytes = 0;
  let before = performance.eventLoopUtilization();
  const look = () => {
    const use = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (use.utilization > restUse || memoryUsage().heapUsed - usedBytes < litterBytes) return;
    collect();
    usedBytes = memoryUsage().heapUsed;
  };
  setInterval(look, restMs).unref();
}
