import { beforeAll, describe, expect, it } from 'vitest';
import { ProviderError } from '#kernel/errors.ts';
import type { Core, Series, Single } from '#kernel/event.ts';
import {
  mailboxAddress as account,
  type MicrosoftMailbox,
  openMailbox,
  pullAll,
} from '../../../test/harness/microsoft-mailbox.ts';
import { conformanceTags } from '../conformance.ts';
import type { Answer, FoundMirror, MirrorBody } from '../port.ts';

/** A person's own events, and every way in which Graph can fail to write them. */

const core: Core = { busy: 'busy', private: false, self: 'organizer', kind: 'default', title: 'Talk', reminders: [15] };
const talk: Single = {
  kind: 'single',
  when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'Europe/Berlin', duration: { seconds: 1_800 } },
  core,
};
const weekly: Series = {
  ...talk,
  kind: 'series',
  rules: ['FREQ=WEEKLY;COUNT=8'],
  exRules: [],
  extraDates: [],
  exdates: [],
  overrides: {},
};
const second = '20270315T080000Z';
const third = '20270322T080000Z';
/** After the change of the clocks. */
const fourth = '20270329T070000Z';
const instance = (start: string, more: Partial<Core> = {}) => ({
  when: { ...weekly.when, start } as Series['when'],
  core: { ...core, ...more },
});

/** One mailbox for all; a calendar and an identity for each test, for a transactionId is used up for ever. */
let mailbox: MicrosoftMailbox;
let opened = 0;

beforeAll(async () => {
  mailbox = await openMailbox();
  await mailbox.emulator.control.knobs({ requestsPer10Minutes: 1_000_000 });
});

async function open(more: { timeoutMs?: number } = {}) {
  opened += 1;
  const name = `work${opened}`;
  const calendar = await mailbox.addCalendar(name);
  const { control } = mailbox.emulator;
  await control.clearFaults();
  const provider = mailbox.open(conformanceTags, more);
  const { events } = provider;
  if (events === undefined) throw new Error('Outlook events can be written');
  const signal = AbortSignal.timeout(10_000);
  const key = `editor${opened}`;
  const identity = { key, uid: `${key}@holdfast.invalid` };
  const quietly = { tellGuests: false };
  const stands = () => [...mailbox.calendar(name).events.values()];
  return {
    control,
    calendar: name,
    list: async () => (await pullAll(provider, { calendarRef: calendar })).items,
    create: (body: MirrorBody = talk) => events.create(calendar, identity, body, quietly, signal),
    find: () => events.find(calendar, identity, signal),
    read: (ref: string) => events.read(calendar, ref, signal),
    change: (current: FoundMirror, after: MirrorBody) =>
      events.change(calendar, current, current.item.body as MirrorBody, after, quietly, signal),
    answer: (current: FoundMirror, after: MirrorBody, more: Partial<Answer> = {}) => {
      if (events.answer === undefined) throw new Error('Invitations in Outlook can be answered');
      const answer = { parts: [''], tellOrganizer: true, note: null, again: false, ...more };
      return events.answer(calendar, current, after, answer, signal);
    },
    remove: (current: FoundMirror) => events.remove(calendar, current, quietly, signal),
    /** The person at Outlook. */
    act: (command: Record<string, unknown>) => control.act({ account, ...command } as never),
    stands,
    content: () => stands()[0]?.content,
  };
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

describe('creating events', () => {
  it('a created event is read back in full and is foreign', async () => {
    const world = await open();
    const body: Single = {
      ...talk,
      core: {
        ...core,
        busy: 'oof',
        private: true,
        location: 'Room 1',
        notes: 'Agenda',
        joinUrl: 'https://meet.example.org/abc',
        attendees: [{ email: 'bob@example.com', name: 'Bob', response: 'needs-action' }],
        categories: ['Work'],
        reminders: [30],
      },
    };
    const found = await world.create(body);
    expect(found.item).toMatchObject({ ref: found.ref, provenance: 'foreign', version: found.version });
    expect(found.item.body).toEqual(body);
    expect(world.content()).toMatchObject({ body: { content: 'Agenda\n\nJoin: https://meet.example.org/abc' } });
  });

  it('an event gets its nearest reminder, the default of the mailbox, or none', async () => {
    const reminded = async (reminders: number[] | undefined) => {
      const world = await open();
      return ((await world.create({ ...talk, core: { ...core, reminders } })).item.body as Single).core.reminders;
    };
    expect(await reminded([10, 60])).toEqual([10]);
    expect(await reminded([])).toEqual([]);
    expect(await reminded(undefined)).toEqual([15]);
  });

  it('a series can be created with cancelled and moved instances, and as all-day', async () => {
    const world = await open();
    const body: Series = {
      ...weekly,
      exdates: [second],
      overrides: { [fourth]: instance('2027-03-30T14:00:00', { title: 'Moved' }) },
    };
    expect((await world.create(body)).item.body).toEqual(body);
    const other = await open();
    const days: Series = { ...weekly, when: { kind: 'all-day', start: '2027-03-27', end: '2027-03-29' } };
    const made = await other.create({ ...days, exdates: ['20270403'] });
    expect(made.item.body).toEqual({ ...days, exdates: ['20270403'] });
    const later = { when: { kind: 'all-day', start: '2027-04-11', end: '2027-04-12' }, core } as const;
    const after: Series = { ...days, exdates: ['20270403', '20270417'], overrides: { '20270410': later } };
    expect((await other.change(made, after)).item.body).toEqual(after);
  });

  it.each(['reset', 'timeout', '502'])('an event whose create response is lost by %s exists once', async (variant) => {
    const world = await open({ timeoutMs: 400 });
    await world.control.addFaults({ name: 'F2', variant, op: 'create-event' });
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'transient' });
    const found = await world.find();
    expect(found?.item.body).toEqual(talk);
    expect(await world.create()).toEqual(found);
    expect(world.stands()).toHaveLength(1);
  });

  it.each(['bad-request', 'conflict', 'replay'] as const)(
    'a repeated create completes the cancelled instances of its series when Graph answers %s',
    async (duplicateTransaction) => {
      const world = await open();
      const body: Series = { ...weekly, exdates: [second] };
      // The series is made, what is cancelled in it does not arrive.
      await world.control.addFaults({ name: 'F1', variant: 'reset', op: 'delete-event' });
      expect(await refusalOf(world.create(body))).toMatchObject({ kind: 'transient' });
      await world.control.knobs({ duplicateTransaction });
      expect((await world.create(body)).item.body).toEqual(body);
      expect(world.stands()).toHaveLength(1);
      await world.control.knobs({ duplicateTransaction: 'bad-request' });
    },
  );

  it('an event deleted before its create was confirmed is not created again', async () => {
    const world = await open();
    const made = await world.create();
    await world.act({ do: 'delete', event: made.ref });
    expect(await world.find()).toBeNull();
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'rejected', code: 'DELETED_MEANWHILE' });
  });

  it('a copy made by the user is not found as the created event', async () => {
    const world = await open();
    const made = await world.create();
    await world.act({ do: 'copy', event: made.ref, calendar: world.calendar });
    expect((await world.find())?.ref).toBe(made.ref);
    await world.act({ do: 'delete', event: made.ref });
    expect(await world.find()).toBeNull();
  });

  it.each([
    ['every second hour', ['FREQ=HOURLY;INTERVAL=2;COUNT=3']],
    ['the 31st of each month that has one', ['FREQ=MONTHLY;BYMONTHDAY=31']],
    ['two rules at once', ['FREQ=WEEKLY;COUNT=3', 'FREQ=MONTHLY;COUNT=3']],
    ['a day that the rule does not make', ['FREQ=WEEKLY;BYDAY=TH']],
  ])('a series with the recurrence "%s" is refused before any request', async (_, rules) => {
    const world = await open();
    const refused = await refusalOf(world.create({ ...weekly, rules }));
    expect(refused).toMatchObject({ kind: 'rejected', code: 'RECURRENCE_UNSUPPORTED' });
    expect(world.stands()).toEqual([]);
    const found = await world.create();
    expect(await refusalOf(world.change(found, { ...weekly, rules }))).toMatchObject({
      code: 'RECURRENCE_UNSUPPORTED',
    });
    expect((await world.read(found.ref))?.version).toBe(found.version);
  });

  it('an event with floating times is refused', async () => {
    const world = await open();
    const when = { kind: 'floating', start: '2027-03-08T09:00:00', duration: { seconds: 60 } } as const;
    expect(await refusalOf(world.create({ ...talk, when }))).toMatchObject({ kind: 'rejected', code: 'UNSUPPORTED' });
  });
});

describe('changing events', () => {
  it('a change writes only the differences and keeps attendee responses, rooms and unknown properties', async () => {
    const world = await open();
    const guest = (address: string, response: string, type = 'required') => ({
      type,
      status: { response, time: '2027-01-01T00:00:00Z' },
      emailAddress: { name: address, address },
    });
    await world.act({
      do: 'create',
      calendar: world.calendar,
      event: {
        subject: 'Talk',
        start: '2027-03-08T09:00:00',
        zone: 'W. Europe Standard Time',
        minutes: 30,
        body: 'Agenda',
        importance: 'high',
        hideAttendees: true,
        sensitivity: 'confidential',
        attendees: [
          guest('bob@example.com', 'accepted', 'optional'),
          guest('room@example.com', 'accepted', 'resource'),
          guest('carl@example.com', 'declined'),
        ],
      },
    });
    const [stored] = world.stands();
    const { id } = await world.act({ do: 'edit', event: stored!.key, changes: {} });
    const found = (await world.read(String(id)))!;
    const body = found.item.body as Single;
    const [bob] = body.core.attendees!;
    const after: Single = {
      ...body,
      when: { ...body.when, start: '2027-03-08T10:00:00' } as Single['when'],
      core: { ...body.core, attendees: [bob!, { email: 'dora@example.com', name: 'Dora' }] },
    };
    await world.change(found, after);
    expect(world.content()).toMatchObject({
      importance: 'high',
      hideAttendees: true,
      sensitivity: 'confidential',
      startZone: 'W. Europe Standard Time',
      attendees: [
        { type: 'optional', status: { response: 'accepted' }, emailAddress: { address: 'bob@example.com' } },
        { type: 'resource', emailAddress: { address: 'room@example.com' } },
        { type: 'required', emailAddress: { address: 'dora@example.com', name: 'Dora' } },
      ],
    });
  });

  it('a change takes one read and one write, and its response gives the result', async () => {
    const world = await open();
    await world.control.clearLedger();
    const found = await world.create();
    await world.change(found, { ...talk, core: { ...core, title: 'New' } });
    const asked = (await world.control.ledger()).map(({ operation }) => operation);
    expect(asked).toEqual(['create-event', 'get-event', 'update-event']);
  });

  it('a change that Outlook cannot store leaves the event as it is', async () => {
    const world = await open();
    const found = await world.create();
    expect(await world.change(found, { ...talk, core: { ...core, color: '#33b679', reminders: undefined } })).toEqual(
      found,
    );
  });

  it('an online meeting is kept, and replacing its notes or link is refused', async () => {
    const world = await open();
    const made = await world.create();
    const joinUrl = 'https://teams.microsoft.com/l/meetup-join/1';
    await world.act({ do: 'edit', event: made.ref, changes: { joinUrl } });
    const found = (await world.read(made.ref))!;
    const { core: standing } = found.item.body as Single;
    expect(standing.joinUrl).toBe(joinUrl);
    for (const more of [{ notes: 'New' }, { joinUrl: 'https://zoom.us/j/1' }, { joinUrl: undefined }]) {
      const change = world.change(found, { ...talk, core: { ...standing, ...more } });
      expect(await refusalOf(change)).toMatchObject({ kind: 'rejected', code: 'CONFERENCE_KEPT' });
    }
    const after = await world.change(found, { ...talk, core: { ...standing, title: 'New', location: 'Room' } });
    expect(after.item.body).toEqual({ ...talk, core: { ...standing, title: 'New', location: 'Room' } });
  });

  it('a change of an outdated version writes nothing, even if only an instance changed', async () => {
    const world = await open();
    const found = await world.create(weekly);
    await world.act({ do: 'edit', event: found.ref, day: '2027-03-22', changes: { subject: 'Theirs' } });
    const change = world.change(found, { ...weekly, core: { ...core, title: 'Mine' } });
    expect(await refusalOf(change)).toMatchObject({ kind: 'precondition', code: 'CHANGED_MEANWHILE' });
    expect(await refusalOf(world.remove(found))).toMatchObject({ kind: 'precondition' });
    expect(world.content()).toMatchObject({ subject: 'Talk' });
  });

  it.each(['412', '409'])('a change overtaken between its read and its write (%s) writes nothing', async (variant) => {
    const world = await open();
    const found = await world.create();
    await world.control.addFaults({ name: 'M13', variant });
    const change = world.change(found, { ...talk, core: { ...core, title: 'Mine' } });
    expect(await refusalOf(change)).toMatchObject({ kind: 'precondition', code: 'CHANGED_MEANWHILE' });
    expect((await world.read(found.ref))?.version).toBe(found.version);
  });

  it.each(['reset', 'timeout', '502'])('a change whose response is lost by %s is found applied', async (variant) => {
    const world = await open({ timeoutMs: 400 });
    const found = await world.create();
    const after = { ...talk, core: { ...core, title: 'New' } };
    await world.control.addFaults({ name: 'F2', variant, op: 'update-event' });
    expect(await refusalOf(world.change(found, after))).toMatchObject({ kind: 'transient' });
    expect((await world.read(found.ref))?.item.body).toEqual(after);
  });

  it('a change is rate-limited with the time to wait when Graph is busy', async () => {
    const world = await open();
    const found = await world.create();
    const change = () => world.change(found, { ...talk, core: { ...core, title: 'New' } });
    await world.control.addFaults({ name: 'M5', variant: '300', op: 'update-event' });
    expect(await refusalOf(change())).toMatchObject({ kind: 'rate-limited', retryAfterMs: 300_000 });
    expect(await change()).toMatchObject({ item: { body: { core: { title: 'New' } } } });
  });

  it('a change reserved to the organizer is refused, and a deleted event reported as gone', async () => {
    const world = await open();
    const event = {
      subject: 'Invited',
      start: '2027-03-08T09:00:00',
      minutes: 30,
      organizer: { name: 'Boss', address: 'boss@example.com' },
      response: 'accepted',
    };
    const { id } = await world.act({ do: 'create', calendar: world.calendar, event });
    const found = (await world.read(String(id)))!;
    const body = found.item.body as Single;
    const mine = world.change(found, { ...body, core: { ...body.core, title: 'Mine' } });
    expect(await refusalOf(mine)).toMatchObject({ kind: 'rejected', code: 'NOT_ORGANIZER' });
    const free = await world.change(found, { ...body, core: { ...body.core, busy: 'free' } });
    expect(free.item.body).toMatchObject({ core: { busy: 'free' } });
    await world.act({ do: 'delete', event: found.ref });
    expect(await refusalOf(world.change(free, talk))).toMatchObject({ kind: 'not-found', code: 'NOT_FOUND' });
    expect(await world.read(found.ref)).toBeNull();
  });
});

describe('changing series', () => {
  it('an instance can be moved, renamed, cancelled and reset, but a cancelled one cannot be restored', async () => {
    const world = await open();
    const created = await world.create(weekly);
    const changed: Series = {
      ...weekly,
      exdates: [second],
      overrides: {
        [third]: instance('2027-03-23T10:00:00', { title: 'Moved', busy: 'free' }),
        [fourth]: instance('2027-03-29T09:00:00', { location: 'There' }),
      },
    };
    const found = await world.change(created, changed);
    expect(found.item.body).toEqual(changed);
    const back = await world.change(found, { ...changed, overrides: {} });
    // Outlook keeps what was put back as instances of their own, which say what the series says.
    const plain = { [third]: instance('2027-03-22T09:00:00'), [fourth]: instance('2027-03-29T09:00:00') };
    expect((back.item.body as Series).overrides).toEqual(plain);
    const refused = await refusalOf(world.change(back, { ...weekly, overrides: plain }));
    expect(refused).toMatchObject({ kind: 'rejected', code: 'CANCELLED_FOR_GOOD' });
  });

  it('a series moved to another time takes along the cancelled and moved instances that Outlook drops', async () => {
    const world = await open();
    const before: Series = {
      ...weekly,
      exdates: [second],
      overrides: { [fourth]: instance('2027-03-30T14:00:00', { title: 'Moved', notes: 'Long' }) },
    };
    const found = await world.create(before);
    const after: Series = {
      ...weekly,
      when: { kind: 'zoned', start: '2027-03-09T10:30:00', zone: 'Europe/Berlin', duration: { seconds: 3_600 } },
      exdates: ['20270316T093000Z'],
      overrides: { '20270330T083000Z': before.overrides[fourth]! },
    };
    const moved = await world.change(found, after);
    expect(moved.item.body).toEqual(after);
    expect(await world.read(found.ref)).toEqual(moved);
  });

  it('a series change that crashed after the master is completed by a retry', async () => {
    const world = await open();
    const before: Series = { ...weekly, overrides: { [fourth]: instance('2027-03-30T14:00:00', { title: 'Moved' }) } };
    const found = await world.create(before);
    const after: Series = {
      ...weekly,
      when: { ...weekly.when, start: '2027-03-08T11:00:00' } as Series['when'],
      overrides: { '20270329T090000Z': before.overrides[fourth]! },
    };
    // The master's patch passes, that of the instance does not arrive.
    await world.control.addFaults({ name: 'F1', variant: 'reset', op: 'update-event', nth: 2 });
    expect(await refusalOf(world.change(found, after))).toMatchObject({ kind: 'transient' });
    const halfway = (await world.read(found.ref))!;
    expect((await world.change(halfway, after)).item.body).toEqual(after);
  });

  it('a series can be ended before an instance and keeps its earlier exceptions', async () => {
    const world = await open();
    const found = await world.create({
      ...weekly,
      exdates: [third],
      overrides: { [second]: instance('2027-03-16T09:00:00'), [fourth]: instance('2027-03-30T14:00:00') },
    });
    const after: Series = {
      ...weekly,
      rules: ['FREQ=WEEKLY;UNTIL=20270328T215959Z'],
      exdates: [third],
      overrides: { [second]: instance('2027-03-16T09:00:00') },
    };
    const ended = (await world.change(found, after)).item.body;
    // The end is a day at Outlook: that of the last instance of the rule.
    expect(ended).toEqual({ ...after, rules: ['FREQ=WEEKLY;UNTIL=20270322T225959Z'] });
  });

  it('a series can become a single event, and a single event a series', async () => {
    const world = await open();
    const found = await world.create(weekly);
    const single = await world.change(found, talk);
    expect(single.item.body).toEqual(talk);
    expect((await world.change(single, { ...weekly, exdates: [second] })).item.body).toEqual({
      ...weekly,
      exdates: [second],
    });
  });

  it('an instance cannot be moved to the day of a neighbor, and none can be added', async () => {
    const world = await open();
    const daily = { ...weekly, rules: ['FREQ=DAILY;COUNT=8'] };
    const found = await world.create(daily);
    for (const start of ['2027-03-08T20:00:00', '2027-03-10T08:00:00']) {
      const after = { ...daily, overrides: { '20270309T080000Z': instance(start) } };
      expect(await refusalOf(world.change(found, after))).toMatchObject({
        kind: 'rejected',
        code: 'CROSSES_NEIGHBOUR',
      });
    }
    const beside = { ...daily, overrides: { '20270309T090000Z': instance('2027-03-09T10:00:00') } };
    expect(await refusalOf(world.change(found, beside))).toMatchObject({ kind: 'rejected', code: 'UNSUPPORTED' });
    expect((await world.read(found.ref))?.version).toBe(found.version);
    // Where Graph itself says so, it is said in the same words.
    await world.control.addFaults({ name: 'M14' });
    const moved = { ...daily, overrides: { '20270309T080000Z': instance('2027-03-09T10:00:00') } };
    expect(await refusalOf(world.change(found, moved))).toMatchObject({ code: 'CROSSES_NEIGHBOUR' });
  });
});

describe('answering invitations', () => {
  async function invited(more: Record<string, unknown> = {}) {
    const world = await open();
    await world.control.knobs({ declinedEvents: 'kept' });
    await world.act({
      do: 'create',
      calendar: world.calendar,
      event: {
        key: `invited-${world.calendar}`,
        subject: 'Plan',
        start: '2027-03-08T09:00:00',
        end: '2027-03-08T10:00:00',
        zone: 'Europe/Berlin',
        organizer: { name: 'Ben', address: 'ben@contoso.example' },
        response: 'notResponded',
        showAs: 'tentative',
        attendees: [
          { type: 'required', status: { response: 'none' }, emailAddress: { address: account, name: 'Ann' } },
        ],
        ...more,
      },
    });
    const ref = (await world.list())[0]?.ref ?? '';
    const found = await world.read(ref);
    if (found === null) throw new Error('The invitation stands');
    const { responses } = mailbox.emulator.emulator.world.mailboxes.get(account) ?? { responses: [] };
    responses.length = 0;
    const sent = () => responses.map(({ action, comment }) => [action, comment]);
    return { ...world, ref, found, sent, body: found.item.body as Series };
  }
  const say = <Body extends MirrorBody>(body: Body, self: Core['self']): Body => ({
    ...body,
    core: { ...body.core, self },
  });
  const coreOf = (found: FoundMirror | null | undefined) => (found?.item.body as Single | undefined)?.core;

  it.each([
    ['accepted', 'accept', 'busy'],
    ['tentative', 'tentativelyAccept', 'tentative'],
    ['declined', 'decline', 'free'],
  ] as const)('the answer %s is sent as %s', async (self, action, busy) => {
    const world = await invited();
    const { found, reply } = await world.answer(world.found, say(world.body, self));
    expect([coreOf(found), reply]).toMatchObject([{ self, busy }, null]);
    expect(world.sent()).toEqual([[action, null]]);
  });

  it.each([true, false])('a response is sent if that is wished: %s; a note goes along', async (tellOrganizer) => {
    const world = await invited();
    await world.answer(world.found, say(world.body, 'accepted'), { tellOrganizer, note: 'Ten minutes late' });
    expect(world.sent()).toEqual(tellOrganizer ? [['accept', 'Ten minutes late']] : []);
    expect(coreOf(await world.read(world.ref))?.self).toBe('accepted');
  });

  it('an answer that stands already is sent once more only if that is wished', async () => {
    const world = await invited({ response: 'accepted', showAs: 'busy' });
    await world.answer(world.found, say(world.body, 'accepted'));
    expect(world.sent()).toEqual([]);
    await world.answer(world.found, say(world.body, 'accepted'), { again: true });
    expect(world.sent()).toHaveLength(1);
  });

  it('an answer is not taken back to none', async () => {
    const world = await invited({ response: 'accepted', showAs: 'busy' });
    const refusal = await refusalOf(world.answer(world.found, say(world.body, 'needs-action')));
    expect(refusal).toMatchObject({ kind: 'rejected', code: 'ANSWER_STANDS' });
  });

  it('one instance is answered, and the rest of the series is not', async () => {
    const world = await invited({ repeat: { type: 'weekly', daysOfWeek: ['monday'], count: 4 } });
    const slot = {
      when: { ...world.body.when, start: '2027-03-15T09:00:00' } as Series['when'],
      core: world.body.core,
    };
    const after: Series = { ...world.body, overrides: { [second]: say(slot as never, 'declined') } };
    const { found } = await world.answer(world.found, after, { parts: [second] });
    const body = found?.item.body as Series;
    expect([body.core.self, body.overrides[second]?.core.self]).toEqual(['needs-action', 'declined']);
  });

  it('a declined event that Outlook deletes is gone', async () => {
    const world = await invited();
    await world.control.knobs({ declinedEvents: 'deleted' });
    expect(await world.answer(world.found, say(world.body, 'declined'))).toEqual({ found: null, reply: null });
  });

  it('an event that changed since is not answered', async () => {
    const world = await invited();
    await world.act({ do: 'edit', event: `invited-${world.calendar}`, changes: { subject: 'New' } });
    expect((await refusalOf(world.answer(world.found, say(world.body, 'accepted')))).kind).toBe('precondition');
    expect(world.sent()).toEqual([]);
  });

  it('an answer whose response was lost is found, and sent once', async () => {
    const world = await invited();
    await world.control.addFaults({ name: 'F2', variant: 'reset', op: 'respond' });
    expect((await refusalOf(world.answer(world.found, say(world.body, 'accepted')))).kind).toBe('transient');
    const stands = await world.read(world.ref);
    expect(coreOf(stands)?.self).toBe('accepted');
    await world.answer(stands as FoundMirror, say(world.body, 'accepted'));
    expect(world.sent()).toHaveLength(1);
  });
});
