import { sql } from 'kysely';
import { bookingContract } from '#features/booking/contract.ts';
import { defaultSettings, type TypeSettings } from '#features/booking/rules/type-settings.ts';
import { startDefinition } from '#features/routing/rules/form-definition.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { type DatabaseHandle, openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { openAccount } from '../../harness/open-account.ts';
import { sampleQuestion } from '../../harness/sample-question.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { askAs } from '../ask-as.ts';
import type { Product } from '../product.ts';
import type { Reader, Sight } from './record.ts';

/** One of everything, as people would have it, by the calls of their screens. */

/** In the middle of a working day when most of Europe sleeps, and without daylight saving: pictures of a full week. */
export const zone = 'Asia/Singapore';

export interface Filled {
  /** Session tokens. */
  tokens: Record<Exclude<Reader, 'stranger'>, string>;
  sights: readonly Sight[];
}

export async function fillProduct(product: Product): Promise<Filled> {
  const log = await createLog({ level: 'silent', format: 'json' });
  const database = openDatabase({ url: product.databaseUrl, log });
  try {
    return await fill(product, database);
  } finally {
    await database.close();
  }
}

async function fill(product: Product, database: DatabaseHandle): Promise<Filled> {
  const { url } = product;
  const open = async (name: string, company: string) => {
    const email = `${name.split(' ')[0]?.toLowerCase()}@northwind.example`;
    const { token, userId } = await openAccount(database, email);
    const ask = askAs(url, token);
    await ask('PATCH', '/api/account/profile', { name, company });
    await ask('PATCH', '/api/account/preferences', { timezone: zone });
    return { ask, token, userId, email };
  };
  const admin = await open('Sam Rivera', 'Northwind');
  await sql`update accounts.settings set require_admin_mfa = false`.execute(database.db);
  const { ask: dana, token } = await open('Dana Lee', 'Northwind');
  const others = [await open('Anna Weber', 'Northwind'), await open('Ben Okafor', 'Northwind')];

  for (const provider of ['google', 'microsoft']) await dana('POST', '/dev/simulate/connect', { provider });
  await waitFor('every account to be read', async () => {
    const { accounts } = await dana<{ accounts: { lastSyncedAt: string | null }[] }>('GET', '/integrations/accounts');
    return accounts.every(({ lastSyncedAt }) => lastSyncedAt !== null);
  });
  const { calendars } = await dana<{ calendars: { id: CalendarId; name: string; provider: string }[] }>(
    'GET',
    '/api/calendars',
  );
  const own = (provider: string) => {
    const found = calendars.find((one) => one.provider === provider);
    if (found === undefined) throw new Error(`there is no calendar of ${provider}`);
    return found.id;
  };
  await dana('POST', '/api/mirror-groups', {
    name: 'Work and private',
    enabled: true,
    rule: {},
    members: [own('google'), own('outlook')].map((calendarId) => ({ calendarId, isSource: true, isTarget: true })),
    pairs: [],
  });

  await dana('PUT', '/api/handle', { handle: 'dana-lee' });
  const api = createClient(bookingContract, { baseUrl: url, headers: () => ({ authorization: `Bearer ${token}` }) });
  const make = async (
    body: Parameters<typeof api.createEventType>[0]['body'],
    description: string,
    settings: Partial<TypeSettings>,
  ) => {
    const { event_type: type } = await api.createEventType({ body });
    await api.changeEventType({
      params: { id: type.id },
      body: {
        version: type.version,
        title: type.title,
        slug: type.slug,
        description,
        hidden: false,
        secret: false,
        settings: { ...defaultSettings(type.kind), notice_minutes: 0, ...settings },
      },
    } as Parameters<typeof api.changeEventType>[0]);
    return type;
  };
  const intro = await make(
    { title: 'Intro call', kind: 'one-on-one' },
    'Half an hour to see whether we fit. Bring your questions.',
    {
      location: { kind: 'link', url: 'https://meet.northwind.example/dana' },
      target_calendar_id: own('google'),
      durations_minutes: [30, 15],
    },
  );
  await make({ title: 'Consulting session', kind: 'one-on-one' }, 'A whole hour on your plans.', {
    durations_minutes: [60],
    color: '#0ca678',
    location: { kind: 'in-person', address: 'Northwind, 12 Marina View, Singapore' },
    questions: [{ id: 'topic', label: 'What would you like to talk about?', kind: 'long', required: true }],
  });
  await make({ title: 'Open workshop', kind: 'group' }, 'Once a week, for everybody who has begun.', {
    durations_minutes: [90],
    color: '#e8590c',
    seats: 12,
    shows_seats: true,
    location: { kind: 'google-meet' },
  });

  const { url: checkout } = await dana<{ url: string }>('POST', '/api/billing/checkout', { plan_key: 'pro' });
  await fetch(checkout, {
    method: 'POST',
    body: new URLSearchParams({ card: '4242 4242 4242 4242', country: 'SG' }),
    redirect: 'manual',
  });
  await dana('POST', '/api/billing/refresh');
  const { team } = await dana<{ team: { id: string } }>('POST', '/api/teams', { name: 'Sales' });
  await dana('PUT', `/api/teams/${team.id}/handle`, { handle: 'northwind-sales' });
  for (const [n, other] of others.entries()) {
    await other.ask('POST', '/api/connections/holdfast');
    const role = n === 0 ? 'editor' : 'viewer';
    await dana('POST', `/api/teams/${team.id}/invitations`, { email: other.email, role });
    const { invitations } = await other.ask<{ invitations: { id: string }[] }>('GET', '/api/teams');
    await other.ask('POST', `/api/invitations/${invitations[0]?.id}/accept`);
  }
  await dana('POST', `/api/teams/${team.id}/invitations`, { email: 'carla@northwind.example', role: 'viewer' });
  const demo = await make(
    { title: 'Product demo', kind: 'round-robin', team_id: team.id as never },
    'See it at work, with whoever of us is free first.',
    { location: { kind: 'google-meet' } },
  );

  const code = { amount: null, extra_days: null, expires_at: null, reason: 'For whoever came to the fair' };
  await admin.ask('POST', '/api/admin/billing/codes', { code: 'FAIR', percent: 50, months: 3, max_uses: 100, ...code });
  await admin.ask('PATCH', '/api/admin/retention', { logDays: 90, reason: 'As our policy says' });

  const stranger = askAs(url);
  const nowMinute = Math.ceil(Temporal.Now.instant().epochMilliseconds / 60_000);
  /** The nth of the times that are offered from a day on. */
  const book = async (
    path: string,
    days: number,
    nth: number,
    name: string,
    email: string,
    guestZone: string,
    guests: readonly string[] = [],
  ) => {
    const from = nowMinute + days * 1440;
    const { starts } = await stranger<{ starts: number[] }>(
      'GET',
      `/api/book/${path}/slots?from=${from}&to=${from + 10_080}`,
    );
    const made = await stranger<{ bookings: { token: string }[] }>('POST', `/api/book/${path}/bookings`, {
      start: starts[nth],
      name,
      email,
      phone: '+6561234567',
      zone: guestZone,
      language: 'en',
      guests,
    });
    return made.bookings[0]?.token ?? '';
  };
  const booked = await book('dana-lee/intro-call', 1, 2, 'Kei Tanaka', 'kei@tanaka.example', 'Asia/Tokyo');
  await book('dana-lee/intro-call', 1, 6, 'Priya Nair', 'priya@nair.example', 'Asia/Kolkata');
  await book('dana-lee/intro-call', 3, 1, 'Tom Becker', 'tom@becker.example', 'Europe/Berlin', ['rui@becker.example']);
  for (const [n, [name, email]] of (
    [
      ['Lucía Romero', 'lucia@romero.example'],
      ['Marc Petit', 'marc@petit.example'],
      ['Nina Berg', 'nina@berg.example'],
    ] as const
  ).entries())
    await book('northwind-sales/product-demo', 1 + n, 2 * n, name, email, 'Europe/Madrid');
  const cancelled = await book('dana-lee/intro-call', 4, 3, 'Omar Haddad', 'omar@haddad.example', 'Asia/Dubai');
  await stranger('POST', `/api/booked/${cancelled}/cancel`, { reason: 'I am ill.' });

  const { link } = await dana<{ link: { url: string } }>('POST', '/api/booking-links', {
    kind: 'private',
    event_type_id: intro.id,
    uses: null,
    expires_at: null,
  });
  for (const [name, address, company, tags] of [
    ['Wei Chen', 'wei@chen.example', 'Harbour Labs', ['VIP', 'Partner']],
    ['Ana Silva', 'ana@silva.example', 'Silva & Co', ['Lead']],
    ['Jonas Vogt', 'jonas@vogt.example', 'Vogt GmbH', []],
  ] as const)
    await dana('POST', '/api/contacts', { address, name, company, tags });

  const reminder = (
    name: string,
    begun: object,
    to: string,
    subject: string,
    body: string,
    n: number,
    teamId?: string,
  ) =>
    dana<{ workflow: { id: string } }>('POST', '/api/workflows', {
      name,
      ...(teamId === undefined ? {} : { team_id: teamId }),
      definition: {
        ...begun,
        filter: { event_type_ids: null },
        if_past: 'skip',
        if_late: 'skip',
        quiet_hours: null,
        steps: [
          {
            id: `6f1c2f0e-7c0a-4b7e-9d57-0d8f6b0f7a1${n}`,
            action: { kind: 'send-email', to, subject, body, ics: false },
          },
        ],
      },
    });
  const { workflow } = await reminder(
    'Remind guests a day before',
    { trigger: 'before-event', offset: { amount: 1, unit: 'days' } },
    'guest',
    'Tomorrow: our call',
    'See you tomorrow. If something came up, you can move it.',
    1,
  );
  await reminder(
    'Thank them afterwards',
    { trigger: 'after-event', offset: { amount: 2, unit: 'hours' } },
    'guest',
    'Thank you',
    'It was good to talk to you.',
    2,
  );

  const started = startDefinition('conditional', 'Talk to us', { kind: 'message', text: 'We will write to you.' });
  const { form } = await dana<{ form: { id: string } }>('POST', '/api/routing/forms', {
    team_id: team.id,
    name: 'Talk to us',
    slug: 'talk',
    definition: {
      ...started,
      intro: 'Three questions, so that you meet who can help.',
      questions: [...started.questions, sampleQuestion],
      rules: [
        {
          id: 'many',
          name: 'Larger teams see a demo',
          match: 'all',
          conditions: [{ question: 'size', op: 'is', values: ['many'] }],
          action: { kind: 'event-type', event_type_id: demo.id, user_ids: null, contact_owner_first: false },
        },
      ],
    },
  });

  const postForm = (path: string, fields: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(fields), headers: { accept: 'text/html' } });
  /** Where a mail leads. */
  const mailed = async (email: string, page: string) => {
    const found = () => product.smtp.mailsTo(email).flatMap(({ links }) => links.filter((one) => one.includes(page)));
    await waitFor(`a mail to ${email}`, () => found().length > 0);
    const { pathname, search } = new URL(found()[0] ?? '');
    return `${pathname}${search}`;
  };
  const subscribe = async (email: string) => {
    await postForm('/subscribe', { email });
    return mailed(email, '/subscribe/');
  };
  /** A booking that brings a guest is confirmed by its mail, and the guest is mailed then. */
  const proof = new URL(await mailed('tom@becker.example', '/booked/'), url);
  await postForm(`${proof.pathname}/confirm`, { proof: proof.searchParams.get('proof') ?? '' });
  const toDecline = await mailed('rui@becker.example', '/invite/');
  const toJoin = await mailed('carla@northwind.example', '/join');
  const toConfirm = await subscribe('reader@example.org');
  await postForm(await subscribe('keen@example.org'));
  const { rows } = await sql<{ id: string }>`select id from site.subscribers where confirmed_at is not null`.execute(
    database.db,
  );
  // wait for follow-up jobs, also those that start within seconds
  const waiting = async () =>
    await sql`select from jobs.job where state <= 'active' and start_after < now() + interval '10 seconds'`.execute(
      database.db,
    );
  await waitFor('an empty job queue', async () => (await waiting()).rows.length === 0, { timeoutMs: 60_000 });

  const sight = (reader: Reader, route: string, path = route, name = nameOf(route)): Sight => ({
    name,
    route,
    path,
    reader,
  });
  return {
    tokens: { person: token, admin: admin.token },
    sights: [
      ...['/home', '/login', '/admin/login', '/signup', '/password/forgot', '/privacy', '/mfa/verify'].map((route) =>
        sight('stranger', route),
      ),
      ...['/terms', '/security'].map((route) => ({ ...sight('stranger', route), like: 'privacy' })),
      sight('stranger', '/verify-email', '/verify-email?email=new@example.org&code=nothing'),
      sight('stranger', '/password/reset', '/password/reset?email=new@example.org&code=nothing'),
      sight('stranger', '/docs/$name', '/docs/mirrors'),
      { ...sight('stranger', '/docs'), like: 'docs-name' },
      sight('stranger', '/subscribe/$token', toConfirm),
      sight('stranger', '/unsubscribe/$token', `/unsubscribe/${rows[0]?.id}`),
      sight('stranger', '/$handle', '/dana-lee'),
      sight('stranger', '/$handle', '/northwind-sales', 'handle-of-team'),
      sight('stranger', '/$handle/$slug', '/dana-lee/intro-call'),
      sight('stranger', '/$handle/$slug', '/northwind-sales/product-demo', 'handle-slug-of-team'),
      sight('stranger', '/$handle/forms/$slug', '/northwind-sales/forms/talk'),
      { ...sight('stranger', '/l/$token', new URL(link.url).pathname), like: 'handle-slug' },
      sight('stranger', '/booked/$token', `/booked/${booked}`),
      sight('stranger', '/booked/$token/cancel', `/booked/${booked}/cancel`),
      sight('stranger', '/booked/$token/reschedule', `/booked/${booked}/reschedule`),
      sight('stranger', '/booked/$token/message', `/booked/${booked}/message`),
      sight('stranger', '/invite/$token', toDecline),
      ...[
        '/mfa/enroll',
        '/profile',
        '/profile/security',
        '/billing',
        '/team',
        '/team/calendar',
        '/team/settings',
        '/team/activity',
        '/integrations',
        '/integrations/mirrors',
        '/availability',
        '/booking-links',
        '/contacts',
        '/routing',
        '/routing/fairness',
        '/workflows',
        '/workflows/connections',
        '/help',
      ].map((route) => sight('person', route)),
      sight('person', '/join', toJoin),
      sight('person', '/booking-links/$typeId', `/booking-links/${intro.id}`),
      sight('person', '/routing/$formId', `/routing/${form.id}`),
      sight('person', '/workflows/$workflowId', `/workflows/${workflow.id}`),
      sight('person', '/meetings/team/$teamId', `/meetings/team/${team.id}`),
      ...['', '/users', '/billing', '/integrations', '/health', '/audit', '/settings'].map((one) =>
        sight('admin', '/admin/$', `/admin${one}`, nameOf(`/admin${one}`)),
      ),
    ],
  };
}

/** Returns the name of a route's pictures: `team-calendar`. */
const nameOf = (route: string) => route.slice(1).replaceAll('$', '').replaceAll('/', '-');
