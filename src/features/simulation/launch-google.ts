import { join } from 'node:path';
import type { SeedEvent } from '#emulators/google/seed.ts';
import { addressFor } from './address-for.ts';
import { type DemoCalendar, type DemoEvent, demoWeeks, mondayOf } from './demo-weeks.ts';
import { keepWorld } from './keep-world.ts';
import type { Simulation, SimulationApp } from './open-simulation.ts';
import { serveEmulator } from './serve-emulator.ts';

/** An emulated Google on a loopback port, going on where it stopped. */
export async function launchGoogle(app: SimulationApp): Promise<Simulation> {
  const [{ createGoogle }, { endpointsAt }] = await Promise.all([
    import('#emulators/google/google.ts'),
    import('#emulators/google/launch.ts'),
  ]);
  const served = createGoogle();
  const kept = await keepWorld(served, join(app.config.dataDir, 'simulated', 'google'), app.log);
  const { url, control, fetch, close } = await serveEmulator(app, served);
  const clientId = 'holdfast.apps.emulated';
  const clientSecret = 'emulated-secret';
  const redirectUris = [`${app.config.publicUrl}/provider/google/callback`];
  await control.knobs({ clients: { [clientId]: { secret: clientSecret, redirectUris } } });
  const { authorizeUrl, tokenUrl, revokeUrl, jwksUrl, issuer } = endpointsAt(url, clientId, clientSecret);
  return {
    endpoints: { apiUrl: url, authorizeUrl, tokenUrl, revokeUrl, jwksUrl, issuer },
    clientId,
    clientSecret,
    async addAccount({ name, zone }) {
      const account = addressFor(name, 'gmail.example', (address) => served.emulator.world.users.has(address));
      const monday = mondayOf(app.clock.nowMs(), zone);
      const { primary, second } = demoWeeks.google;
      const calendar = ({ name: summary, color, events }: DemoCalendar) => ({
        summary,
        timeZone: zone,
        backgroundColor: color,
        events: events.map((event) => seedOf(event, monday)),
      });
      await control.seed({
        account,
        name,
        timeZone: zone,
        calendars: [calendar(primary), { ...calendar(second), id: `${second.name.toLowerCase()}.${account}` }],
      });
      return account;
    },
    async consent(authorizationUrl, account) {
      const form = new URLSearchParams({ account, decision: 'allow' });
      const asked = new URL(authorizationUrl).searchParams.get('scope') ?? '';
      for (const scope of asked.split(' ')) form.append('scope', scope);
      const answer = await fetch(authorizationUrl, { method: 'POST', body: form });
      return new URL(answer.headers.get('location') ?? '').searchParams;
    },
    pageOf: (account) => `${url}/?account=${encodeURIComponent(account)}`,
    async close() {
      await close();
      await kept.close();
    },
  };
}

function seedOf(event: DemoEvent, monday: Temporal.PlainDate): SeedEvent {
  const { title, day, time, minutes, days, weekly, place, free, private: isPrivate } = event;
  const date = monday.add({ days: day }).toString();
  return {
    summary: title,
    start: time === undefined ? date : `${date}T${time}`,
    ...(minutes === undefined ? {} : { minutes }),
    ...(days === undefined ? {} : { days }),
    ...(weekly ? { recurrence: ['RRULE:FREQ=WEEKLY'] } : {}),
    ...(place === undefined ? {} : { location: place }),
    ...(free ? { transparency: 'transparent' } : {}),
    ...(isPrivate ? { visibility: 'private' } : {}),
  };
}
