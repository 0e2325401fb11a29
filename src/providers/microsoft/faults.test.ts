import { describe, expect, it } from 'vitest';
import type { SeedEvent } from '#emulators/microsoft/seed-command.ts';
import type { DueMirror } from '#features/sync/store/mirrors.ts';
import { type WriteResult, writeBlock } from '#features/sync/write-block.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { Series } from '#kernel/event.ts';
import { contentHash } from '#kernel/event-hash.ts';
import { normaliseBody } from '#kernel/ical/normalise-body.ts';
import { createMirrorSigner } from '#platform/mirror-signer.ts';
import { mailboxAddress as account, openMailbox, pullAll } from '../../../test/harness/microsoft-mailbox.ts';
import type { CalendarProvider, MirrorBody } from '../port.ts';

/** Faults of the catalogue (docs/providers.md) as Graph would have them, each with the reaction it is to meet. */

const signer = createMirrorSigner(new Uint8Array(32).fill(7));
const key = signer.keyOf({ targetCalendarId: 't', originCalendarId: 'o', originUid: 'u', recId: null });

async function openAccount(options: { timeoutMs?: number } = {}) {
  const mailbox = await openMailbox();
  const { control } = mailbox.emulator;
  const calendarRef = await mailbox.addCalendar('work');
  const provider = mailbox.open(signer, options);
  const seed = async (event: SeedEvent): Promise<string> =>
    String((await control.act({ do: 'create', account, calendar: 'work', event })).id);
  const standing = async () => (await control.snapshot()).accounts[account]?.calendars.work?.events ?? [];
  const asked = async (operation: string) => (await control.ledger()).filter((entry) => entry.operation === operation);
  const pull = (request: { cursor?: string | null; full?: boolean } = {}) =>
    pullAll(provider, { calendarRef, ...request });
  return { mailbox, control, calendarRef, provider, seed, standing, asked, pull };
}

function block(start: string, title = 'Busy'): MirrorBody {
  return normaliseBody({
    kind: 'single',
    when: { kind: 'zoned', start, zone: 'UTC', duration: { seconds: 1_800 } },
    core: { busy: 'busy', private: true, self: 'none', kind: 'default', title },
  }) as MirrorBody;
}

const signal = () => AbortSignal.timeout(20_000);

type Row = Pick<DueMirror, 'state' | 'desired' | 'desiredHash' | 'appliedHash' | 'ref' | 'version' | 'generation'>;

function rowFor(body: MirrorBody, more: Partial<Row> = {}): Row {
  const hash = contentHash(body);
  return {
    state: 'pending',
    desired: body,
    desiredHash: hash,
    appliedHash: null,
    ref: null,
    version: null,
    generation: 1,
    ...more,
  };
}

/** The engine's writer in small: what was lost is asked about, and what is burnt gets its next name. */
async function bring(provider: CalendarProvider, calendarRef: string, row: Row) {
  const met: string[] = [];
  for (let tries = 0; tries < 6; tries += 1) {
    try {
      const identity = signer.identityUnder(key, row.generation);
      const due = { ...row, id: 'm', identityKey: key, attempts: tries } as DueMirror;
      const result: WriteResult = await writeBlock(provider, calendarRef, due, identity, signal());
      if (result.kind !== 'burnt') return { result, met, row };
      row.generation += 1;
      met.push('burnt');
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      met.push(error.kind);
    }
  }
  throw new Error(`The block never came to stand: ${met.join(', ')}`);
}

async function refusalOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw error;
  expect(error.message).toMatch(/^.{15,}[.]$/s);
  return error;
}

describe('writes with a lost response (F2)', () => {
  for (const variant of ['reset', '502', 'timeout']) {
    const timeoutMs = variant === 'timeout' ? 1_000 : 5_000;

    it(`a create whose response is lost by ${variant} (F2) is adopted without a second event`, async () => {
      const { control, calendarRef, provider, standing, asked } = await openAccount({ timeoutMs });
      await control.addFaults({ name: 'F2', variant, op: 'create-event' });
      const { result, met } = await bring(provider, calendarRef, rowFor(block('2027-03-08T09:00:00')));
      expect(met).toEqual(['transient']);
      const events = await standing();
      expect(events).toHaveLength(1);
      expect(result).toMatchObject({ kind: 'written', ref: events[0]?.id });
      expect((await asked('create-event')).map((entry) => entry.applied)).toEqual([true, true]);
      expect(await asked('update-event')).toEqual([]);
    });

    it(`an update whose response is lost by ${variant} (F2) is found applied and not repeated`, async () => {
      const { control, calendarRef, provider, standing, asked } = await openAccount({ timeoutMs });
      const first = block('2027-03-08T09:00:00');
      const created = await provider.createMirror(calendarRef, signer.identityUnder(key, 1), first, signal());
      await control.addFaults({ name: 'F2', variant, op: 'update-event' });
      const wanted = rowFor(block('2027-03-09T11:00:00'), { ...created, appliedHash: contentHash(first) });
      const { result, met } = await bring(provider, calendarRef, wanted);
      expect(met).toEqual(['transient']);
      expect(result).toMatchObject({ kind: 'written', how: 'verified' });
      expect((await standing()).map((event) => event.start)).toEqual(['2027-03-09T11:00:00']);
      expect((await asked('update-event')).filter((entry) => entry.status === 200)).toHaveLength(
        variant === 'reset' || variant === 'timeout' ? 1 : 0,
      );
    });

    it(`a deletion whose response is lost by ${variant} (F2) is completed by its retry`, async () => {
      const { control, calendarRef, provider, standing } = await openAccount({ timeoutMs });
      const body = block('2027-03-08T09:00:00');
      const created = await provider.createMirror(calendarRef, signer.identityUnder(key, 1), body, signal());
      await control.addFaults({ name: 'F2', variant, op: 'delete-event' });
      const { result, met } = await bring(provider, calendarRef, rowFor(body, { ...created, state: 'deleting' }));
      expect(met).toEqual(['transient']);
      expect(result).toEqual({ kind: 'removed' });
      expect(await standing()).toEqual([]);
    });
  }
});

describe('failed requests (F1, F3, F4, F5)', () => {
  const faults: [string, string, { timeoutMs?: number }][] = [
    ['F1', 'reset', {}],
    ['F1', 'timeout', { timeoutMs: 500 }],
    ['F3', '500', {}],
    ['F3', '502', {}],
    ['F3', '503', {}],
    ['F3', '504', {}],
    ['F4', 'truncated', {}],
    ['F4', 'html', {}],
    ['F5', 'slow', { timeoutMs: 500 }],
    ['F5', 'headers', { timeoutMs: 500 }],
  ];
  for (const [name, variant, options] of faults) {
    it(`a pull that fails by ${name} ${variant} keeps its cursor, and a retried create exists once`, async () => {
      const { control, calendarRef, provider, seed, standing, pull } = await openAccount(options);
      await seed({ subject: 'One', start: '2027-03-08T09:00:00', minutes: 30 });
      const first = await pull();
      const added = await seed({ subject: 'Two', start: '2027-03-09T09:00:00', minutes: 30 });
      await control.addFaults({ name, variant, op: 'delta' });
      expect((await refusalOf(pull({ cursor: first.end.cursor }))).kind).toBe('transient');
      expect((await pull({ cursor: first.end.cursor })).items.map((item) => item.ref)).toEqual([added]);

      await control.clearFaults();
      await control.addFaults({ name, variant, op: 'create-event' });
      const { met } = await bring(provider, calendarRef, rowFor(block('2027-03-10T09:00:00')));
      expect(met).toEqual(['transient']);
      expect((await standing()).filter((event) => event.transactionId !== null)).toHaveLength(1);
    });
  }
});

describe('used transactionIds (M12)', () => {
  for (const variant of ['bad-request', 'conflict', 'replay'] as const) {
    it(`a create refused for a used transactionId (M12 ${variant}) adopts its event`, async () => {
      const { control, calendarRef, provider, standing } = await openAccount();
      await control.addFaults({ name: 'M12', variant });
      const { result } = await bring(provider, calendarRef, rowFor(block('2027-03-08T09:00:00')));
      const events = await standing();
      expect(events).toHaveLength(1);
      expect(result).toMatchObject({ kind: 'written', ref: events[0]?.id });
    });

    it(`a create that finds an older body under its transactionId (M12 ${variant}) updates that event`, async () => {
      const { control, calendarRef, provider, standing } = await openAccount();
      await control.knobs({ duplicateTransaction: variant });
      await control.addFaults({ name: 'F2', variant: 'reset', op: 'create-event' });
      const identity = signer.identityUnder(key, 1);
      const old = provider.createMirror(calendarRef, identity, block('2027-03-08T09:00:00'), signal());
      expect((await refusalOf(old)).kind).toBe('transient');
      const { result } = await bring(provider, calendarRef, rowFor(block('2027-03-09T09:00:00', 'Later')));
      expect(result).toMatchObject({ kind: 'written', how: 'updated' });
      expect((await standing()).map(({ start, subject }) => [start, subject])).toEqual([
        ['2027-03-09T09:00:00', 'Later'],
      ]);
    });
  }

  it('an identity whose event was deleted by its user gets a new generation', async () => {
    const { control, calendarRef, provider, standing } = await openAccount();
    const body = block('2027-03-08T09:00:00');
    const created = await provider.createMirror(calendarRef, signer.identityUnder(key, 1), body, signal());
    await control.act({ do: 'delete', account, event: created.ref });
    const { met, row } = await bring(provider, calendarRef, rowFor(body));
    expect(met).toEqual(['burnt']);
    expect(row.generation).toBe(2);
    const items = (await pullAll(provider, { calendarRef })).items;
    expect(items.map((item) => item.uid)).toEqual([signer.identityUnder(key, 2).uid]);
    expect(await standing()).toHaveLength(1);
  });
});

describe('changed and deleted events', () => {
  for (const variant of ['412', '409']) {
    it(`an update refused by M13 ${variant} reads the event again and writes over its current version`, async () => {
      const { control, calendarRef, provider, standing } = await openAccount();
      const body = block('2027-03-08T09:00:00');
      const created = await provider.createMirror(calendarRef, signer.identityUnder(key, 1), body, signal());
      await control.addFaults({ name: 'M13', variant });
      const wanted = rowFor(block('2027-03-09T09:00:00'), { ...created, appliedHash: contentHash(body) });
      const { result, met } = await bring(provider, calendarRef, wanted);
      expect(met).toEqual([]);
      expect(result).toMatchObject({ kind: 'written', how: 'updated' });
      expect((await standing()).map((event) => event.start)).toEqual(['2027-03-09T09:00:00']);
    });
  }

  it('M15: a missing event completes a deletion, and an update reports it as gone', async () => {
    const { control, calendarRef, provider } = await openAccount();
    const body = block('2027-03-08T09:00:00');
    const created = await provider.createMirror(calendarRef, signer.identityUnder(key, 1), body, signal());
    await control.addFaults({ name: 'M15', op: 'update-event' });
    const changed = rowFor(block('2027-03-09T09:00:00'), { ...created, appliedHash: contentHash(body) });
    expect((await bring(provider, calendarRef, changed)).result).toEqual({ kind: 'gone' });
    await control.act({ do: 'delete', account, event: created.ref });
    const leaving = rowFor(body, { ...created, state: 'deleting' });
    expect((await bring(provider, calendarRef, leaving)).result).toEqual({ kind: 'removed' });
  });

  it('a 404 from a proxy does not prove that an event is gone', async () => {
    const { control, calendarRef, provider, standing } = await openAccount();
    const body = block('2027-03-08T09:00:00');
    const created = await provider.createMirror(calendarRef, signer.identityUnder(key, 1), body, signal());
    await control.addFaults({ op: 'update-event', effect: { kind: 'status', status: 404 } });
    const changed = rowFor(block('2027-03-09T09:00:00'), { ...created, appliedHash: contentHash(body) });
    const { met, result } = await bring(provider, calendarRef, changed);
    expect(met).toEqual(['transient']);
    expect(result).toMatchObject({ kind: 'written', how: 'updated' });
    expect(await standing()).toHaveLength(1);
  });

  it('M14: a change refused by Outlook for good is rejected', async () => {
    const { control, calendarRef, provider } = await openAccount();
    const created = await provider.createMirror(
      calendarRef,
      signer.identityUnder(key, 1),
      block('2027-03-08T09:00:00'),
      signal(),
    );
    await control.addFaults({ name: 'M14' });
    const update = provider.updateMirror(
      calendarRef,
      created,
      signer.identityUnder(key, 1),
      block('2027-03-09T09:00:00'),
      signal(),
    );
    expect((await refusalOf(update)).kind).toBe('rejected');
  });
});

describe('copies of mirrors', () => {
  it('a copied mirror is foreign, and only the original is found', async () => {
    const { control, calendarRef, provider, pull } = await openAccount();
    const identity = signer.identityUnder(key, 1);
    const created = await provider.createMirror(calendarRef, identity, block('2027-03-08T09:00:00'), signal());
    await control.act({ do: 'copy', account, event: created.ref, calendar: 'work' });
    const { items } = await pull();
    expect(items.map((item) => item.provenance).sort()).toEqual(['foreign', 'own']);
    expect((await provider.findMirror(calendarRef, identity, signal()))?.ref).toBe(created.ref);
    await provider.deleteMirror(calendarRef, created, signal());
    expect(await provider.findMirror(calendarRef, identity, signal())).toBeNull();
  });
});

describe('access', () => {
  it('M4: a token refused once is replaced, and a token refused twice fails the call', async () => {
    const { mailbox, control, calendarRef } = await openAccount();
    const refused: string[] = [];
    let token = await mailbox.grant();
    const provider = mailbox.open(signer, {
      tokens: { get: () => Promise.resolve(token), refuse: (old) => void refused.push(old) },
    });
    await control.addFaults({ name: 'M4', op: 'delta' });
    await pullAll(provider, { calendarRef });
    expect(refused).toEqual([token]);
    await control.act({ do: 'expire-access-tokens', account });
    expect(await refusalOf(pullAll(provider, { calendarRef }))).toMatchObject({ kind: 'auth', code: 'ACCESS_REVOKED' });
    token = await mailbox.grant();
    await pullAll(provider, { calendarRef });
  });

  it('a missing calendar scope asks for reconnecting', async () => {
    const { control, provider } = await openAccount();
    await control.act({ do: 'reduce-scopes', account, to: ['openid', 'User.Read'] });
    expect(await refusalOf(provider.listCalendars(signal()))).toMatchObject({ kind: 'auth', code: 'SCOPE_MISSING' });
  });

  it('a calendar that became read-only refuses writes and can still be read', async () => {
    const { control, calendarRef, provider, pull } = await openAccount();
    await control.act({ do: 'change-calendar', account, calendar: 'work', canEdit: false });
    const create = provider.createMirror(
      calendarRef,
      signer.identityUnder(key, 1),
      block('2027-03-08T09:00:00'),
      signal(),
    );
    expect(await refusalOf(create)).toMatchObject({ kind: 'rejected', code: 'READ_ONLY' });
    expect((await pull()).items).toEqual([]);
    const listed = await provider.listCalendars(signal());
    expect(listed.find((calendar) => calendar.ref === calendarRef)?.writable).toBe(false);
  });

  it('M21: an on-premises mailbox is refused with a hint to DavMail', async () => {
    const { control, provider, pull } = await openAccount();
    await control.addFaults({ name: 'M21', times: 0 });
    const error = await refusalOf(provider.listCalendars(signal()));
    expect(error).toMatchObject({ kind: 'rejected', code: 'ON_PREMISES' });
    expect(error.message).toContain('DavMail');
    expect(await refusalOf(pull())).toMatchObject({ code: 'ON_PREMISES' });
  });

  const waits: [string, string, number | undefined][] = [
    ['M5', '1', 1_000],
    ['M5', '300', 300_000],
    ['M5', 'date', 5_000],
    ['M5', 'absent', undefined],
    ['M5', 'TooManyRequests', 5_000],
    ['M5', '503', 2_000],
    ['M6', 'concurrency', 1_000],
  ];
  for (const [name, variant, waitMs] of waits) {
    it(`a read or write throttled by ${name} ${variant} has to wait ${waitMs ?? 'for an unnamed time'}`, async () => {
      const { control, calendarRef, provider, pull, standing } = await openAccount();
      await control.addFaults({ name, variant, times: 2 });
      expect(await refusalOf(pull())).toMatchObject({ kind: 'rate-limited', retryAfterMs: waitMs });
      const body = block('2027-03-08T09:00:00');
      const create = provider.createMirror(calendarRef, signer.identityUnder(key, 1), body, signal());
      expect(await refusalOf(create)).toMatchObject({ kind: 'rate-limited', retryAfterMs: waitMs });
      expect(await standing()).toEqual([]);
    });
  }
});

describe('delta rounds', () => {
  for (const variant of ['gone', 'syncStateNotFound', 'syncStateInvalid', 'resyncRequired']) {
    it(`a cursor refused by M7 ${variant} expires, and the next listing lacks the deleted event`, async () => {
      const { control, seed, pull } = await openAccount();
      const kept = await seed({ subject: 'Kept', start: '2027-03-08T09:00:00', minutes: 30 });
      await seed({ subject: 'Lost', start: '2027-03-09T09:00:00', minutes: 30 });
      const first = await pull();
      await control.act({ do: 'delete', account, event: 'Lost' });
      await control.addFaults({ name: 'M7', variant });
      expect((await refusalOf(pull({ cursor: first.end.cursor }))).kind).toBe('cursor-expired');
      expect((await pull({ cursor: null })).end.listed).toEqual(new Set([kept]));
    });
  }

  it('a delta baseline expires after seven days and gets a new time range', async () => {
    const { mailbox, pull } = await openAccount();
    const first = await pull();
    mailbox.advance(6.9 * 86_400_000);
    await mailbox.grant();
    const kept = await pull({ cursor: first.end.cursor });
    expect(kept.end.covers).toEqual(first.end.covers);
    mailbox.advance(0.2 * 86_400_000);
    await mailbox.grant();
    expect((await refusalOf(pull({ cursor: kept.end.cursor }))).kind).toBe('cursor-expired');
    const anew = await pull();
    expect((anew.end.covers?.fromMs ?? 0) - (first.end.covers?.fromMs ?? 0)).toBe(7 * 86_400_000);
  });

  it('M8: an existing event reported as removed is kept', async () => {
    const { control, seed, pull } = await openAccount();
    const ref = await seed({ subject: 'Here', start: '2027-03-08T09:00:00', minutes: 30 });
    const first = await pull();
    await control.addFaults({ name: 'M8' });
    const next = await pull({ cursor: first.end.cursor });
    expect(next.gone).toEqual([]);
    expect(next.items.map((item) => item.ref)).toEqual([ref]);
  });

  it('an event moved out of the time range is returned, and one moved to another calendar is gone', async () => {
    const { mailbox, control, seed, pull } = await openAccount();
    const far = await seed({ subject: 'Far', start: '2027-03-08T09:00:00', minutes: 30 });
    const away = await seed({ subject: 'Away', start: '2027-03-09T09:00:00', minutes: 30 });
    const first = await pull();
    await mailbox.addCalendar('private');
    await control.act({ do: 'edit', account, event: 'Far', changes: { start: '2029-03-08T09:00:00' } });
    await control.act({ do: 'move-to-calendar', account, event: 'Away', calendar: 'private' });
    const next = await pull({ cursor: first.end.cursor });
    expect(next.items).toMatchObject([{ ref: far, body: { when: { start: '2029-03-08T09:00:00' } } }]);
    expect(next.gone).toEqual([away]);
  });

  it('an event outside the time range is not listed, and can be read by its ref', async () => {
    const { control, calendarRef, provider, seed, pull } = await openAccount();
    const past = await seed({ subject: 'Past', start: '2026-11-08T09:00:00', minutes: 30 });
    const near = await seed({ subject: 'Near', start: '2027-03-08T09:00:00', minutes: 30 });
    const first = await pull();
    expect(first.end.listed).toEqual(new Set([near]));
    const found = [];
    const lost = await seed({ subject: 'Lost', start: '2027-03-09T09:00:00', minutes: 30 });
    await control.act({ do: 'delete', account, event: lost });
    const ask = provider.readByName?.(calendarRef, [past, lost, near], signal());
    for await (const page of ask ?? []) found.push(page);
    expect(found.flatMap((page) => page.items.map((item) => item.ref)).sort()).toEqual([past, near].sort());
    expect(found.flatMap((page) => page.gone)).toEqual([lost]);
    // A name that this mailbox never gave may be of another account: it is no proof of anything.
    const strange = provider.readByName?.(calendarRef, [`${past}x`], signal()).next();
    expect((await refusalOf(strange ?? Promise.resolve())).kind).toBe('rejected');
  });

  const series: SeedEvent = {
    subject: 'Weekly',
    start: '2027-03-01T09:00:00',
    minutes: 60,
    zone: 'W. Europe Standard Time',
    repeat: { type: 'weekly', daysOfWeek: ['monday'], count: 10 },
    exceptions: { '2027-03-15': { start: '2027-03-16T14:00:00', subject: 'Moved' } },
    cancelled: ['2027-03-29'],
  };
  const seriesOf = (items: { body: unknown }[]) => items[0]?.body as Series;

  for (const variant of ['no-master', 'sparse']) {
    it(`a series is read in full from its master with one request (M9 ${variant})`, async () => {
      const { control, seed, pull, asked } = await openAccount();
      const ref = await seed(series);
      await control.addFaults({ name: 'M9', variant, times: 0 });
      const first = await pull();
      expect(first.items.map((item) => item.ref)).toEqual([ref]);
      const body = seriesOf(first.items);
      expect(body).toMatchObject({
        rules: ['FREQ=WEEKLY;COUNT=10'],
        // 9:00 in Berlin, after the clocks went forward on 28 March.
        exdates: ['20270329T070000Z'],
        overrides: { '20270315T080000Z': { core: { title: 'Moved' }, when: { start: '2027-03-16T14:00:00' } } },
      });
      expect(first.end.requests).toBe(2);
      expect(await asked('get-event')).toHaveLength(1);
    });
  }

  it('M9: an occurrence deleted without a tombstone becomes an exclusion of its series', async () => {
    const { control, seed, pull } = await openAccount();
    const ref = await seed(series);
    const first = await pull();
    await control.act({ do: 'delete', account, event: ref, day: '2027-03-08' });
    const next = await pull({ cursor: first.end.cursor });
    expect(next.gone).toEqual([]);
    expect(seriesOf(next.items).exdates).toEqual(['20270308T080000Z', '20270329T070000Z']);
    expect(next.items[0]?.version).not.toBe(first.items[0]?.version);
  });

  for (const removedSeries of ['master', 'master-and-occurrences'] as const) {
    it(`M9: a deleted series is gone by the ref of its master when reported by ${removedSeries}`, async () => {
      const { control, seed, pull } = await openAccount();
      const ref = await seed(series);
      const first = await pull();
      await control.knobs({ removedSeries });
      await control.act({ do: 'delete', account, event: ref });
      const next = await pull({ cursor: first.end.cursor });
      expect(next.items).toEqual([]);
      expect(next.gone).toContain(ref);
    });
  }

  it('M10: a change that delta reports late is returned by a later pull', async () => {
    const { mailbox, control, seed, pull } = await openAccount();
    const first = await pull();
    mailbox.advance(60_000);
    await control.knobs({ lagMs: 30_000 });
    const ref = await seed({ subject: 'New', start: '2027-03-08T09:00:00', minutes: 30 });
    const early = await pull({ cursor: first.end.cursor });
    expect(early.items).toEqual([]);
    mailbox.advance(31_000);
    expect((await pull({ cursor: early.end.cursor })).items.map((item) => item.ref)).toEqual([ref]);
  });

  for (const [name, variant] of [
    ['F6', 'repeated'],
    ['F6', 'shuffled'],
    ['M11', 'repeated'],
    ['M11', 'empty-page'],
  ] as const) {
    it(`every event is returned once under ${name} ${variant}`, async () => {
      const { control, seed, pull } = await openAccount();
      const refs = [];
      for (let n = 1; n <= 9; n += 1)
        refs.push(await seed({ subject: `${n}`, start: `2027-03-0${n}T09:00:00`, minutes: 30 }));
      refs.push(await seed(series));
      await control.addFaults({ name, variant, times: 0 });
      const got = await pull();
      expect(got.items.map((item) => item.ref).sort()).toEqual([...refs].sort());
      expect(got.end.listed).toEqual(new Set(refs));
    });
  }

  it('M11 foreign-link: a link to another host is refused without a request, and the cursor stays valid', async () => {
    const { control, seed, pull } = await openAccount();
    const first = await pull();
    const ref = await seed({ subject: 'New', start: '2027-03-08T09:00:00', minutes: 30 });
    await control.addFaults({ name: 'M11', variant: 'foreign-link' });
    const poisoned = await refusalOf(pull({ cursor: first.end.cursor }));
    expect(poisoned).toMatchObject({ kind: 'rejected', code: 'OTHER_SITE' });
    expect((await pull({ cursor: first.end.cursor })).items.map((item) => item.ref)).toEqual([ref]);
  });

  it('an unreadable cursor and one from another address expire', async () => {
    const { pull } = await openAccount();
    const { cursor } = (await pull()).end;
    for (const spoilt of [
      cursor?.replace('deltatoken=', 'deltatoken=AA'),
      cursor?.replace('microsoft.', 'graph.'),
      '{}',
      'x',
    ]) {
      expect(spoilt).not.toBe(cursor);
      expect((await refusalOf(pull({ cursor: spoilt ?? null }))).kind).toBe('cursor-expired');
    }
  });

  it('M11 stale: the newer of two rows of an event wins, whatever their order', async () => {
    const { mailbox, control, seed, pull } = await openAccount();
    const ref = await seed({ subject: 'Old', start: '2027-03-08T09:00:00', minutes: 30 });
    const first = await pull();
    mailbox.advance(1_000);
    await control.act({ do: 'edit', account, event: ref, changes: { subject: 'New' } });
    await control.addFaults({ name: 'M11', variant: 'stale' });
    const next = await pull({ cursor: first.end.cursor });
    const titles = next.items.map(({ body }) => (body.kind === 'single' ? body.core.title : body.kind));
    expect(titles.at(-1)).toBe('New');
  });

  it('an event that becomes a series keeps its ref', async () => {
    const { control, seed, pull } = await openAccount();
    const one = await seed({ subject: 'One', start: '2027-03-08T09:00:00', minutes: 30 });
    const first = await pull();
    await control.act({ do: 'edit', account, event: one, changes: { repeat: { type: 'daily', count: 3 } } });
    const next = await pull({ cursor: first.end.cursor });
    expect(next).toMatchObject({
      items: [{ ref: one, body: { kind: 'series', rules: ['FREQ=DAILY;COUNT=3'] } }],
      gone: [],
    });
  });

  it('M11 wedged: an endless incremental pull expires its cursor, and an endless listing is transient', async () => {
    const { control, seed, pull } = await openAccount();
    for (let n = 1; n <= 3; n += 1) await seed({ subject: `${n}`, start: `2027-03-0${n}T09:00:00`, minutes: 30 });
    const first = await pull();
    await seed({ subject: '4', start: '2027-03-04T09:00:00', minutes: 30 });
    await control.addFaults({ name: 'M11', variant: 'wedged', times: 0 });
    expect((await refusalOf(pull({ cursor: first.end.cursor }))).kind).toBe('cursor-expired');
    expect((await refusalOf(pull())).kind).toBe('transient');
    await control.clearFaults();
    expect((await pull()).end.listed?.size).toBe(4);
  });

  it('M16: every request and every part of a batch asks for immutable ids and UTC', async () => {
    const { mailbox, calendarRef, seed } = await openAccount();
    const preferences: string[] = [];
    const { fetch } = mailbox.emulator;
    mailbox.emulator.fetch = async (url, init) => {
      if (!url.includes('/_emu/')) {
        preferences.push(new Headers(init?.headers).get('prefer') ?? '');
        const { requests = [] } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as {
          requests?: { headers: { prefer: string } }[];
        };
        for (const part of requests) preferences.push(part.headers.prefer);
      }
      return await fetch(url, init);
    };
    const watched = mailbox.open(signer);
    await seed(series);
    await seed({ ...series, subject: 'Another' });
    await watched.listCalendars(signal());
    await pullAll(watched, { calendarRef });
    const identity = signer.identityUnder(key, 1);
    const created = await watched.createMirror(calendarRef, identity, block('2027-03-08T09:00:00'), signal());
    const updated = await watched.updateMirror(calendarRef, created, identity, block('2027-03-09T09:00:00'), signal());
    await watched.findMirror(calendarRef, identity, signal());
    await watched.deleteMirror(calendarRef, updated, signal());
    expect(preferences.length).toBeGreaterThanOrEqual(10);
    for (const preference of preferences) {
      expect(preference).toContain('IdType="ImmutableId"');
      expect(preference).toContain('outlook.timezone="UTC"');
    }
  });

  for (const variant of ['custom', 'unknown']) {
    it(`a series in an unknown zone is read by its instances, and a single event in UTC (M17 ${variant})`, async () => {
      const { control, seed, pull } = await openAccount();
      const one = await seed({
        subject: 'One',
        start: '2027-03-08T09:00:00',
        minutes: 30,
        zone: 'W. Europe Standard Time',
      });
      const many = await seed({ ...series, repeat: { type: 'daily', count: 5 }, exceptions: {}, cancelled: [] });
      await control.addFaults({ name: 'M17', variant, times: 0 });
      // Which zone a row names is decided where the row is written: parts of a batch and pages alike.
      await control.addFaults({ name: 'M17', variant, op: ['get-event', 'list-instances', 'batch'], times: 0 });
      const got = await pull();
      const bodies = new Map(got.items.map((item) => [item.ref, item.body]));
      expect(bodies.get(one)).toMatchObject({ kind: 'single', when: { start: '2027-03-08T08:00:00', zone: 'UTC' } });
      const body = bodies.get(many);
      expect(body?.kind).toBe('instances');
      expect(body?.kind === 'instances' ? Object.keys(body.list) : []).toEqual([
        '20270301T080000Z',
        '20270302T080000Z',
        '20270303T080000Z',
        '20270304T080000Z',
        '20270305T080000Z',
      ]);
    });
  }

  it('a failed part of a batch (M20 424) is requested again alone', async () => {
    const { control, seed, pull, asked } = await openAccount();
    const refs = [];
    for (const subject of ['A', 'B', 'C']) refs.push(await seed({ ...series, subject }));
    await control.addFaults({ name: 'M20', variant: '424' });
    const got = await pull();
    expect(got.items.map((item) => item.ref).sort()).toEqual([...refs].sort());
    expect(await asked('get-event')).toHaveLength(1);
    expect(got.end.requests).toBe(3);
  });

  it('a throttled part of a batch (M20 429) ends the pull with its wait, and nothing is requested alone', async () => {
    const { control, seed, pull, asked } = await openAccount();
    for (const subject of ['A', 'B', 'C']) await seed({ ...series, subject });
    await control.addFaults({ name: 'M20', variant: '429' });
    expect(await refusalOf(pull())).toMatchObject({ kind: 'rate-limited', retryAfterMs: 1_000 });
    expect(await asked('get-event')).toHaveLength(0);
  });
});
