import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Contract, Endpoint } from '#kernel/contract.ts';

/** The calls of the specification with what they send, word for word: no input of theirs may be refused for its form. */

const featuresDir = join(import.meta.dirname, '../src/features');
const names = await readdir(featuresDir);
const contracts = await Promise.all(
  names.map(async (name) => {
    const path: string = join(featuresDir, name, 'contract.ts');
    const module = (await import(path).catch(() => ({}))) as Record<string, Contract>;
    return Object.values(module[`${name}Contract`] ?? {});
  }),
);
const endpoints: Endpoint[] = contracts.flat();

const id = '0197a1b2-0000-7000-8000-000000000001';
const times = { start_time: '2027-03-08T09:00:00.000Z', end_time: '2027-03-08T10:00:00.000Z' };
const days = { start_date: '2027-02-06', end_date: '2027-03-08' };
const range = { from: '2027-02-06', to: '2027-03-08' };
const password = 'a long enough one';
const notifications = { bookingReminders: true, syncErrors: true, productUpdates: false };

const calls: [call: string, sent: { body?: object; query?: object }][] = [
  ['POST /auth/signup', { body: { email: 'ada@example.org', password } }],
  ['POST /auth/login', { body: { email: 'ada@example.org', password, app: 'user' } }],
  ['POST /auth/login', { body: { email: 'ada@example.org', password, app: 'admin' } }],
  ['POST /auth/logout', {}],
  ['POST /auth/mfa/enroll/verify', { body: { session: 'a session', code: '123456' } }],
  ['POST /auth/mfa/backup/regenerate', {}],
  ['POST /auth/password/forgot', { body: { email: 'ada@example.org' } }],
  ['POST /auth/password/reset', { body: { email: 'ada@example.org', code: 'a code', new_password: password } }],
  ['GET /api/account/profile', {}],
  ['GET /auth/profile', {}],
  ['GET /api/calendars', {}],
  ['GET /api/calendars/events', { query: { from: times.start_time, to: times.end_time, calendar_ids: `${id},${id}` } }],
  [
    'POST /events',
    {
      body: {
        title: 'Lunch',
        ...times,
        calendar_id: id,
        attendees: ['ana@example.org'],
        description: 'Bring the plan',
        meeting_link: 'https://meet.example.org/lunch',
      },
    },
  ],
  ['GET /meetings', { query: { user_id: id, scope: 'upcoming' } }],
  ['GET /meetings', { query: { user_id: id, scope: 'past' } }],
  ['GET /meetings', { query: { user_id: id, scope: 'mirrors' } }],
  ['GET /events/{id}/audit', {}],
  ['POST /mirrors/{eventId}/resync', {}],
  ['GET /calendars/availability', { query: { user_id: id, ...times } }],
  ['GET /integrations/accounts', {}],
  ['GET /integrations/calendars', {}],
  ['GET /meeting-links', {}],
  ['POST /dev/simulate/connect', { body: { provider: 'google' } }],
  ['POST /dev/simulate/connect', { body: { provider: 'microsoft' } }],
  ['POST /api/calendars/sync/{accountId}', {}],
  ['DELETE /integrations/accounts/{accountId}', {}],
  [
    'PATCH /api/account/profile',
    { body: { name: 'Ada', phone: '+4930123456', avatarUrl: 'https://example.org/a.png' } },
  ],
  [
    'PATCH /api/account/preferences',
    {
      body: {
        timezone: 'Asia/Kolkata',
        locale: 'en-US',
        timeFormat: '12h',
        dateFormat: 'YYYY-MM-DD',
        notifications,
      },
    },
  ],
  ['POST /api/account/billing/portal', {}],
  ['GET /analytics/booking-trends', { query: days }],
  ['GET /analytics/popular-time-slots', { query: { ...days, timezone: 'UTC', perspective: 'organizer' } }],
  ...['total-meetings', 'no-show-rate', 'avg-booking-time', 'conversion-rate'].map((name): (typeof calls)[number] => [
    `GET /analytics/kpi/${name}`,
    { query: range },
  ]),
  ...[
    'calendar-health',
    'conflict-prevention',
    'meeting-sources',
    'capacity-utilization',
    'participant-insights',
    'meeting-forecast',
  ].map((name): (typeof calls)[number] => [`GET /analytics/${name}`, {}]),
];

test.each(calls)('%s takes what the specification sends', (call, { body = {}, query = {} }) => {
  const named = (path: string) => path.replaceAll(/\{[^}]+\}/g, '{}');
  const endpoint = endpoints.find((one) => named(`${one.method} ${one.path}`) === named(call));
  if (endpoint === undefined) throw new Error('there is no such call');
  for (const [schema, sent] of [
    [endpoint.body, body],
    [endpoint.query, query],
  ] as const) {
    if (schema === undefined) expect(sent).toEqual({});
    else expect(z.safeDecode(schema, sent as never).error?.issues ?? []).toEqual([]);
  }
});
