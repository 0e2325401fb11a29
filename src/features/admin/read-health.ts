import type { Output } from '#kernel/contract.ts';
import { ageOfZoneData } from '#kernel/time/zone-data.ts';
import type { App } from '#platform/app.ts';
import { listErrors } from '#platform/error-book.ts';
import { deadLetterQueue } from '#platform/jobs.ts';
import { faceOfKind } from './face-of-kind.ts';
import { measureSystem } from './measure-system.ts';
import { alertsShown } from './rules/alert.ts';
import { keyOf, type Service, type ServiceView, worstOf } from './rules/health.ts';
import type { systemEndpoints } from './rules/system-endpoints.ts';
import { listAlerts } from './store/alerts.ts';
import { readSuccess, readWatched } from './store/watched.ts';

const errorsShown = 50;

export async function readHealth(app: App): Promise<Output<typeof systemEndpoints.readHealth>> {
  const { agoMs, logDays, services: known } = await readWatched(app.db);
  const [{ services, queues }, success, alerts, errors] = await Promise.all([
    measureSystem(app, agoMs, known),
    readSuccess(app.db),
    listAlerts(app.db, alertsShown),
    listErrors(app.db, errorsShown),
  ]);
  return {
    at: app.clock.nowMs(),
    status: worstOf(services),
    services: viewServices(services, success),
    queues: queues.filter(({ name }) => name !== deadLetterQueue),
    deadLetters: queues.find(({ name }) => name === deadLetterQueue)?.due ?? 0,
    alerts,
    errors: errors.map(({ firstMs, lastMs, ...error }) => ({ ...error, firstAt: firstMs, lastAt: lastMs })),
    zoneData: ageOfZoneData(process.versions.tz ?? '', app.clock.nowMs()),
    logDays,
  };
}

export function viewServices(services: readonly Service[], success: Map<string, number>): ServiceView[] {
  return services.map((service) => ({
    ...service,
    label: service.provider === null ? null : faceOfKind(service.provider).label,
    successPct: success.get(keyOf(service)) ?? null,
  }));
}
