import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { features } from '../src/features.ts';
import { run } from '../src/main.ts';

/**
 * The product, web and worker in one process, with a second port: GET there tells what the process did since the last
 * question, and begins again. Its address is the first line of the output.
 */

const resolutionMs = 1;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
delay.enable();
let sinceMs = performance.now();
let cpu = process.cpuUsage();
let startRss = process.memoryUsage.rss();
let peakRss = startRss;
setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
}, 20).unref();

// The main thread's own time between two turns of the loop. Other processes of the machine add nothing to it.
let thread = process.threadCpuUsage();
let ownBlockMs = 0;
setInterval(() => {
  const now = process.threadCpuUsage();
  ownBlockMs = Math.max(ownBlockMs, (now.user + now.system - thread.user - thread.system) / 1000);
  thread = now;
}, 1).unref();

const probe = createServer((_, response) => {
  const rss = process.memoryUsage.rss();
  const { user, system } = process.cpuUsage(cpu);
  const load = {
    seconds: (performance.now() - sinceMs) / 1000,
    blockMs: Math.max(0, delay.max / 1e6 - resolutionMs),
    ownBlockMs,
    cpuMs: (user + system) / 1000,
    growthMb: (Math.max(peakRss, rss) - startRss) / 1024 / 1024,
  };
  response.end(JSON.stringify(load));
  delay.reset();
  sinceMs = performance.now();
  cpu = process.cpuUsage();
  startRss = rss;
  peakRss = rss;
  thread = process.threadCpuUsage();
  ownBlockMs = 0;
});
probe.listen(0, '127.0.0.1', () => {
  process.stdout.write(`probe http://127.0.0.1:${(probe.address() as AddressInfo).port}\n`);
  void run(features);
});
