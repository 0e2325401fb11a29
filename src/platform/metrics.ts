import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of `/metrics`. Other modules add their own with `registers: [metrics.registry]`. */
export interface Metrics {
  readonly registry: Registry;
  readonly httpSeconds: Histogram<'method' | 'route' | 'status'>;
  readonly streams: Gauge;
  readonly jobSeconds: Histogram<'job' | 'outcome'>;
  readonly mails: Counter<'kind' | 'outcome'>;
}

/** One per process (and per test): nothing is registered globally. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    httpSeconds: new Histogram({
      name: 'holdfast_http_request_seconds',
      help: 'Time from the request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    jobSeconds: new Histogram({
      name: 'holdfast_job_seconds',
      help: 'Time a job ran',
      labelNames: ['job', 'outcome'],
      buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120, 900],
      registers: [registry],
    }),
    mails: new Counter({
      name: 'holdfast_mail_attempts_total',
      help: 'Attempts to send a mail: sent, again (taken later, perhaps), failed, bounced, expired',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    }),
    streams: new Gauge({ name: 'holdfast_streams', help: 'Open event streams', registers: [registry] }),
  };
}
