import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '#emulators/kit/clock.ts';
import { connectGraph, type GraphClient } from './graph-client.ts';
import { embedMicrosoft } from './launch.ts';

/** One row per documented behaviour of Outlook calendars and events; the page it comes from is in brackets. */

const clock = createClock();
const microsoft = embedMicrosoft({ clock });
const { control } = microsoft;
const account = 'ada@contoso.example';
let graph: GraphClient;

const at = (dateTime: string, timeZone = 'UTC') => ({ dateTime, timeZone });
const meeting = (more: Record<string, unknown> = {}) => ({
  subject: 'Meeting',
  start: at('2026-11-24T09:00:00'),
  end: at('2026-11-24T10:00:00'),
  ...more,
});
const weekly = (more: Record<string, unknown> = {}) =>
  meeting({
    subject: 'Weekly',
    start: at('2026-11-24T09:00:00', 'W. Europe Standard Time'),
    end: at('2026-11-24T10:00:00', 'W. Europe Standard Time'),
    recurrence: {
      pattern: { type: 'weekly', interval: 1, daysOfWeek: ['tuesday'], firstDayOfWeek: 'monday' },
      range: { type: 'noEnd', startDate: '2026-11-24' },
    },
    ...more,
  });
const december = 'startDateTime=2026-12-01T00:00:00Z&endDateTime=2026-12-31T00:00:00Z';
const property = { id: 'String {6E9F1A5B-8C5D-4B0E-9E57-0A4A7B0F5D11} Name holdfast', value: 'Mirror-1' };
const tagFilter = (value: string, name = property.id) =>
  encodeURIComponent(`singleValueExtendedProperties/Any(ep: ep/id eq '${name}' and ep/value eq '${value}')`);

async function create(body: unknown, path = '/me/events') {
  const created = await graph.send('POST', path, body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body;
}

async function refusal(body: unknown, method = 'POST', path = '/me/events') {
  const { status, body: answer } = await graph.send(method, path, body);
  return [status, answer.error?.code];
}

async function instancesOf(id: string, window = december) {
  return (await graph.get(`/me/events/${id}/instances?${window}`)).body.value;
}

async function calendarIds(): Promise<Record<string, string>> {
  const { accounts } = await control.snapshot();
  return Object.fromEntries(Object.entries(accounts[account]!.calendars).map(([key, { id }]) => [key, id]));
}

beforeEach(async () => {
  clock.freeze();
  clock.set(Temporal.Instant.from('2026-11-23T08:00:00Z').epochMilliseconds);
  await control.reset();
  await control.seed({
    account,
    name: 'Ada Lovelace',
    calendars: [
      { key: 'home', name: 'Calendar' },
      { key: 'side', name: 'Side', hexColor: '#e3008c' },
      { key: 'team', canEdit: false, owner: { name: 'Team', address: 'team@contoso.example' } },
    ],
  });
  graph = await connectGraph(microsoft, account);
});

describe('calendars', () => {
  it('calendars are listed by pages with their permissions [user-list-calendars]', async () => {
    const first = await graph.get('/me/calendars?$top=2&$select=id,name,canEdit,isDefaultCalendar,hexColor,owner');
    expect(first.body.value).toEqual([
      {
        id: expect.any(String),
        name: 'Calendar',
        canEdit: true,
        isDefaultCalendar: true,
        hexColor: '',
        owner: { name: 'Ada Lovelace', address: account },
      },
      expect.objectContaining({ name: 'Side', hexColor: '#e3008c', isDefaultCalendar: false }),
    ]);
    const second = await graph.get(first.body['@odata.nextLink']!);
    expect(second.body.value).toMatchObject([
      { name: 'team', canEdit: false, owner: { address: 'team@contoso.example' } },
    ]);
    expect(second.body['@odata.nextLink']).toBeUndefined();
  });

  it('calendar groups, single calendars and the user can be read [user-list-calendargroups, calendar-get, user-get]', async () => {
    const { body } = await graph.get('/me/calendarGroups');
    expect((await graph.get(`/me/calendarGroups/${body.value[0]!.id}/calendars`)).body.value).toHaveLength(3);
    expect((await graph.get(`/me/calendars/${(await calendarIds()).side}`)).body).toMatchObject({ name: 'Side' });
    expect((await graph.get('/me/calendar')).body).toMatchObject({ isDefaultCalendar: true });
    expect((await graph.get('/me')).body).toMatchObject({ userPrincipalName: account, displayName: 'Ada Lovelace' });
  });

  it('a write to a read-only calendar is refused with 403 ErrorAccessDenied', async () => {
    const { team } = await calendarIds();
    expect(await refusal(meeting(), 'POST', `/me/calendars/${team}/events`)).toEqual([403, 'ErrorAccessDenied']);
  });

  it('every operation needs its permission [permissions-reference]', async () => {
    const reader = await connectGraph(microsoft, account, ['Calendars.Read']);
    expect((await reader.get('/me/calendars')).status).toBe(200);
    expect((await reader.send('POST', '/me/events', meeting())).status).toBe(403);
    const stranger = await connectGraph(microsoft, account, ['User.Read']);
    expect((await stranger.get('/me/calendars')).body.error.code).toBe('ErrorAccessDenied');
  });
});

describe('events [event resource type]', () => {
  it('a created event is returned in full, with seven fractional digits and no offset [datetimetimezone]', async () => {
    const event = await create(
      meeting({
        start: at('2026-11-24T09:00:00', 'W. Europe Standard Time'),
        end: at('2026-11-24T10:00:00', 'W. Europe Standard Time'),
      }),
    );
    expect(event).toMatchObject({
      '@odata.etag': expect.stringMatching(/^W\/"/),
      start: at('2026-11-24T08:00:00.0000000'),
      end: at('2026-11-24T09:00:00.0000000'),
      originalStartTimeZone: 'W. Europe Standard Time',
      type: 'singleInstance',
      showAs: 'busy',
      sensitivity: 'normal',
      isAllDay: false,
      isCancelled: false,
      isDraft: false,
      isOrganizer: true,
      responseStatus: { response: 'organizer', time: '0001-01-01T00:00:00Z' },
      seriesMasterId: null,
      createdDateTime: '2026-11-23T08:00:00.0000000Z',
    });
  });

  it('an event is shown in the preferred zone, by Windows or IANA name [outlook.timezone]', async () => {
    const { id } = await create(meeting());
    for (const zone of ['Pacific Standard Time', 'America/Los_Angeles']) {
      const { body, headers } = await graph.get(`/me/events/${id}`, {
        prefer: `IdType="ImmutableId", outlook.timezone="${zone}"`,
      });
      expect(body.start).toEqual(at('2026-11-24T01:00:00.0000000', zone));
      expect(headers.get('preference-applied')).toContain(zone);
    }
    const { status, body } = await graph.get(`/me/events/${id}`, { prefer: 'outlook.timezone="Moon Standard Time"' });
    expect([status, body.error.code]).toEqual([400, 'TimeZoneNotSupportedException']);
  });

  it('an event body is rewritten by Outlook, and returned as text when preferred [outlook.body-content-type]', async () => {
    const { id } = await create(meeting({ body: { contentType: 'text', content: 'a\nb' } }));
    const text = await graph.get(`/me/events/${id}?$select=body`);
    expect(text.body).toEqual({
      '@odata.context': expect.any(String),
      '@odata.etag': expect.any(String),
      id,
      body: { contentType: 'text', content: 'a\r\nb' },
    });
    const html = await graph.get(`/me/events/${id}?$select=body`, { prefer: 'IdType="ImmutableId"' });
    expect(html.body).toMatchObject({ body: { contentType: 'html', content: expect.stringContaining('<html>') } });
  });

  it('an all-day event lasts from midnight to midnight, on the same days in every zone', async () => {
    const event = await create(
      meeting({
        isAllDay: true,
        start: at('2026-11-24T00:00:00', 'Tokyo Standard Time'),
        end: at('2026-11-26T00:00:00', 'Tokyo Standard Time'),
      }),
    );
    const seen = await graph.get(`/me/events/${event.id}`, {
      prefer: 'IdType="ImmutableId", outlook.timezone="Pacific Standard Time"',
    });
    expect(seen.body.start).toEqual(at('2026-11-24T00:00:00.0000000', 'Pacific Standard Time'));
    expect(seen.body.end).toEqual(at('2026-11-26T00:00:00.0000000', 'Pacific Standard Time'));
  });

  it.each([
    ['a start of an all-day event that is not midnight', { isAllDay: true }, 'ErrorPropertyValidationFailure'],
    [
      'an all-day event in two zones',
      { isAllDay: true, start: at('2026-11-24T00:00:00'), end: at('2026-11-25T00:00:00', 'Tokyo Standard Time') },
      'ErrorPropertyValidationFailure',
    ],
    ['an end before its start', { end: at('2026-11-24T08:00:00') }, 'ErrorCalendarEndDateIsEarlierThanStartDate'],
    ['no start', { start: undefined }, 'ErrorPropertyValidationFailure'],
    ['an unknown zone', { start: at('2026-11-24T09:00:00', 'Moon Standard Time') }, 'TimeZoneNotSupportedException'],
    [
      'the zone of a legacy client',
      { start: at('2026-11-24T09:00:00', 'tzone://Microsoft/Custom') },
      'TimeZoneNotSupportedException',
    ],
    ['an unknown property', { colour: 'red' }, 'RequestBodyRead'],
    ['an unknown value', { showAs: 'asleep' }, 'RequestBodyRead'],
    [
      'an extended property without its set',
      { singleValueExtendedProperties: [{ id: 'holdfast', value: '1' }] },
      'ErrorInvalidExtendedProperty',
    ],
  ])('an event is refused for %s', async (_, wrong, code) => {
    expect(await refusal(meeting(wrong))).toEqual([400, code]);
  });

  it('an event may have no length', async () => {
    expect((await create(meeting({ end: at('2026-11-24T09:00:00') }))).end).toEqual(at('2026-11-24T09:00:00.0000000'));
  });
});

describe('event ids [outlook-immutable-id]', () => {
  it('a regular id changes when its event moves to another calendar, and an immutable id does not', async () => {
    const { id } = await create(meeting());
    const regular = (await graph.get(`/me/events/${id}`, { prefer: '' })).body.id;
    expect(regular).not.toBe(id);
    expect((await graph.get(`/me/events/${regular}`)).body.id).toBe(id);
    const moved = await control.act({ account, do: 'move-to-calendar', event: 'Meeting', calendar: 'side' });
    expect(moved.id).toBe(id);
    expect(moved.regularId).not.toBe(regular);
    expect((await graph.get(`/me/events/${regular}`)).body.error.code).toBe('ErrorItemNotFound');
    expect((await graph.get(`/me/events/${id}`)).status).toBe(200);
  });

  it('event ids are case-sensitive, and calendar ids have one form', async () => {
    const { id } = await create(meeting());
    const { status } = await graph.get(
      `/me/events/${id.replace(/[a-z](?=[^a-z]*$)/, (letter) => letter.toUpperCase())}`,
    );
    expect([400, 404]).toContain(status);
    const [plain, immutable] = [await graph.get('/me/calendars', { prefer: '' }), await graph.get('/me/calendars')];
    expect(plain.body.value.map((one) => one.id)).toEqual(immutable.body.value.map((one) => one.id));
  });

  it('M16 ignores the immutable id preference once', async () => {
    const { id } = await create(meeting());
    await control.addFaults({ name: 'M16', op: 'get-event' });
    expect((await graph.get(`/me/events/${id}`)).body.id).not.toBe(id);
    expect((await graph.get(`/me/events/${id}`)).body.id).toBe(id);
  });
});

describe('writing', () => {
  it('a patch changes the named properties and the etag [event-update]', async () => {
    const before = await create(meeting());
    const { status, body: after } = await graph.send('PATCH', `/me/events/${before.id}`, {
      subject: 'New',
      showAs: 'oof',
    });
    expect([status, after.subject, after.start]).toEqual([200, 'New', before.start]);
    expect(after['@odata.etag']).not.toBe(before['@odata.etag']);
    expect(after).toMatchObject({ showAs: 'oof' });
  });

  it('a stale If-Match is refused with 412 ErrorIrresolvableConflict', async () => {
    const { id, '@odata.etag': etag } = await create(meeting());
    expect((await graph.send('PATCH', `/me/events/${id}`, { subject: 'A' }, { 'if-match': etag })).status).toBe(200);
    const stale = await graph.send('PATCH', `/me/events/${id}`, { subject: 'B' }, { 'if-match': etag });
    expect([stale.status, stale.body.error.code]).toEqual([412, 'ErrorIrresolvableConflict']);
    expect((await graph.send('DELETE', `/me/events/${id}`, undefined, { 'if-match': etag })).status).toBe(412);
    expect((await graph.send('PATCH', `/me/events/${id}`, { subject: 'C' }, { 'if-match': '*' })).status).toBe(200);
  });

  it('an online meeting ends when a new body drops its meeting text [event-update]', async () => {
    const { id } = await create(meeting({ isOnlineMeeting: true }));
    const link = 'https://teams.microsoft.com/l/meetup-join/19%3ameeting_simulated';
    const patch = async (body: unknown) => (await graph.send('PATCH', `/me/events/${id}`, body)).body;
    expect(await patch({ subject: 'New' })).toMatchObject({ isOnlineMeeting: true, onlineMeeting: { joinUrl: link } });
    const kept = { body: { contentType: 'html', content: `<p>Agenda</p><a href="${link}">Join</a>` } };
    expect(await patch(kept)).toMatchObject({ isOnlineMeeting: true });
    const lost = { body: { contentType: 'text', content: 'Agenda' } };
    expect(await patch(lost)).toMatchObject({ isOnlineMeeting: false, onlineMeeting: null });
  });

  it('an instance is changed and deleted only over the version that was read [event-update, event-delete]', async () => {
    const { id } = await create(weekly());
    const [first, second] = await instancesOf(id);
    const read = async (ref: string) => (await graph.get(`/me/events/${ref}?$select=id,originalStart`)).body;
    const { '@odata.etag': etag, originalStart } = (await read(first!.id)) as unknown as Record<string, string>;
    expect(originalStart).toBe('2026-12-01T08:00:00Z');
    const patch = (ref: string, match: string) =>
      graph.send('PATCH', `/me/events/${ref}`, { subject: 'Special' }, { 'if-match': match });
    expect((await patch(first!.id, etag!)).body).toMatchObject({ type: 'exception', subject: 'Special' });
    const stale = await patch(first!.id, etag!);
    expect([stale.status, stale.body.error.code]).toEqual([412, 'ErrorIrresolvableConflict']);
    const now = (await read(second!.id)) as unknown as Record<string, string>;
    const gone = await graph.send('DELETE', `/me/events/${second!.id}`, undefined, { 'if-match': now['@odata.etag']! });
    expect(gone.status).toBe(204);
  });

  it('a patch of attendees replaces the whole list [event-update]', async () => {
    const guest = (address: string, type = 'required') => ({ type, emailAddress: { address, name: address } });
    const { id } = await create(meeting({ attendees: [guest('x@example.com', 'optional'), guest('y@example.com')] }));
    const { body } = await graph.send('PATCH', `/me/events/${id}`, { attendees: [guest('z@example.com')] });
    expect(body).toMatchObject({ attendees: [guest('z@example.com')] });
  });

  it('a delete answers 204, then 404 ErrorItemNotFound [event-delete]', async () => {
    const { id } = await create(meeting());
    expect((await graph.send('DELETE', `/me/events/${id}`)).status).toBe(204);
    const again = await graph.send('DELETE', `/me/events/${id}`);
    expect([again.status, again.body.error.code]).toEqual([404, 'ErrorItemNotFound']);
    expect((await graph.get(`/me/events/${id}`)).status).toBe(404);
  });

  it('an error has the form of Graph errors [errors]', async () => {
    const { body, headers } = await graph.get('/me/events/AAMkAG', { 'client-request-id': 'mine' });
    expect(body.error).toEqual({
      code: 'ErrorInvalidIdMalformed',
      message: expect.any(String),
      innerError: { date: '2026-11-23T08:00:00', 'request-id': expect.any(String), 'client-request-id': 'mine' },
    });
    expect(headers.get('client-request-id')).toBe('mine');
  });

  it('accept, tentativelyAccept and decline answer 202 without a body, and an organizer cannot respond [event-accept]', async () => {
    await control.act({
      account,
      do: 'create',
      calendar: 'home',
      event: {
        key: 'invited',
        subject: 'Invited',
        start: '2026-11-24T12:00',
        organizer: { name: 'Ben', address: 'ben@contoso.example' },
        response: 'notResponded',
        showAs: 'tentative',
      },
    });
    const { id } = (await graph.get("/me/events?$filter=subject eq 'Invited'".replaceAll(' ', '%20'))).body.value[0]!;
    for (const [action, response, showAs] of [
      ['accept', 'accepted', 'busy'],
      ['tentativelyAccept', 'tentativelyAccepted', 'tentative'],
      ['decline', 'declined', 'free'],
    ]) {
      expect((await graph.send('POST', `/me/events/${id}/${action}`, { sendResponse: false })).status).toBe(202);
      expect((await graph.get(`/me/events/${id}`)).body).toMatchObject({ showAs, responseStatus: { response } });
    }
    const { id: own } = await create(meeting());
    expect(await refusal({}, 'POST', `/me/events/${own}/accept`)).toEqual([400, 'ErrorInvalidRequest']);
  });

  it('a new time goes with a response that is sent, and a declined event may be deleted [event-decline]', async () => {
    const invited = async (key: string, allowNewTimeProposals: boolean) => {
      const organizer = { name: 'Ben', address: 'ben@contoso.example' };
      const event = { key, subject: key, start: '2026-11-24T12:00', organizer, allowNewTimeProposals };
      await control.act({ account, do: 'create', calendar: 'home', event });
      const { value } = (await graph.get(`/me/events?$filter=subject%20eq%20'${key}'`)).body;
      return `/me/events/${String(value[0]?.id)}`;
    };
    const [open, closed] = [await invited('Open', true), await invited('Closed', false)];
    const at = { dateTime: '2026-11-25T12:00:00', timeZone: 'UTC' };
    const proposedNewTime = { start: at, end: at };
    const statusOf = async (path: string, body: unknown) => (await graph.send('POST', path, body)).status;
    expect(await statusOf(`${open}/accept`, { proposedNewTime })).toBe(400);
    expect(await statusOf(`${open}/decline`, { proposedNewTime, sendResponse: false })).toBe(400);
    expect(await statusOf(`${closed}/decline`, { proposedNewTime })).toBe(400);
    expect(await statusOf(`${open}/decline`, { proposedNewTime, comment: 'Later?' })).toBe(202);
    expect((await graph.get(open)).body).toMatchObject({ responseStatus: { response: 'declined' } });
    await control.knobs({ declinedEvents: 'deleted' });
    expect(await statusOf(`${closed}/decline`, { sendResponse: false })).toBe(202);
    expect((await graph.get(closed)).status).toBe(404);
  });
});

describe('transactionId [event resource type]', () => {
  const retried = meeting({ transactionId: 'hf1:abc:1' });

  it('a used transactionId is refused anywhere in the mailbox, with the id of its event', async () => {
    const first = await create(retried);
    expect(first).toMatchObject({ transactionId: 'hf1:abc:1' });
    const { side } = await calendarIds();
    const { status, body } = await graph.send('POST', `/me/calendars/${side}/events`, retried);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'ErrorDuplicateTransactionId', '@event.existingEventId': first.id });
  });

  it('a used transactionId can also be answered with 409 without the id, or with the same event (M12)', async () => {
    const first = await create(retried);
    await control.knobs({ duplicateTransaction: 'conflict' });
    const conflict = await graph.send('POST', '/me/events', retried);
    expect([conflict.status, conflict.body.error['@event.existingEventId']]).toEqual([409, undefined]);
    await control.knobs({ duplicateTransaction: 'replay' });
    const replay = await graph.send('POST', '/me/events', retried);
    expect([replay.status, replay.body.id]).toEqual([201, first.id]);
  });

  it('a transactionId stays used after its event is deleted', async () => {
    const { id } = await create(retried);
    await graph.send('DELETE', `/me/events/${id}`);
    expect(await refusal(retried)).toEqual([400, 'ErrorDuplicateTransactionId']);
  });

  it('a transactionId cannot be changed', async () => {
    const { id } = await create(retried);
    expect(await refusal({ transactionId: 'other' }, 'PATCH', `/me/events/${id}`)).toEqual([
      400,
      'ErrorPropertyValidationFailure',
    ]);
  });
});

describe('extended properties [singlevaluelegacyextendedproperty-get]', () => {
  it('extended properties are returned only when expanded by their id', async () => {
    const created = await create(meeting({ singleValueExtendedProperties: [property] }));
    expect(created).not.toHaveProperty('singleValueExtendedProperties');
    const expand = (id: string) =>
      `$expand=${encodeURIComponent(`singleValueExtendedProperties($filter=id eq '${id}')`)}`;
    const { body } = await graph.get(`/me/events/${created.id}?$select=subject&${expand(property.id)}`);
    expect(body).toMatchObject({ subject: 'Meeting', singleValueExtendedProperties: [property] });
    const other = await graph.get(`/me/events/${created.id}?${expand(property.id.replace('holdfast', 'Holdfast'))}`);
    expect(other.body).not.toHaveProperty('singleValueExtendedProperties');
  });

  it('an instance has its own extended properties, or those of its series', async () => {
    const { id } = await create(weekly({ singleValueExtendedProperties: [property] }));
    const [first, second] = await instancesOf(id);
    const own = { ...property, value: 'Own' };
    await graph.send('PATCH', `/me/events/${first!.id}`, { singleValueExtendedProperties: [own] });
    const expand = `$expand=${encodeURIComponent(`singleValueExtendedProperties($filter=id eq '${property.id}')`)}`;
    for (const [one, value] of [
      [first!.id, own],
      [second!.id, property],
      [id, property],
    ] as const) {
      expect((await graph.get(`/me/events/${one}?${expand}`)).body).toMatchObject({
        singleValueExtendedProperties: [value],
      });
    }
  });

  it('a filter by extended property needs %20 for spaces and ignores the case of the value only', async () => {
    const { id } = await create(meeting({ singleValueExtendedProperties: [property] }));
    await create(meeting());
    const found = async (filter: string) =>
      (await graph.get(`/me/calendar/events?$filter=${filter}&$select=id`)).body.value?.map((one) => one.id);
    expect(await found(tagFilter('mirror-1'))).toEqual([id]);
    expect(await found(tagFilter('Mirror-2'))).toEqual([]);
    expect(await found(tagFilter('Mirror-1', property.id.replace('holdfast', 'Holdfast')))).toEqual([]);
    expect(await found(tagFilter('Mirror-1').replaceAll('%20', '+'))).toBeUndefined();
  });
});

describe('lists', () => {
  it('an event list has ten events a page, with masters and single events but no instances [user-list-events]', async () => {
    await control.seed({
      account,
      calendars: [{ key: 'side', generate: { count: 25, fromDay: '2026-12-01', days: 30 } }],
    });
    const { side } = await calendarIds();
    await create(weekly(), `/me/calendars/${side}/events`);
    const sizes: number[] = [];
    const types = new Set<string>();
    for (let next: string | undefined = `/me/calendars/${side}/events?$orderby=start/dateTime`; next; ) {
      const { body } = await graph.get(next);
      sizes.push(body.value.length);
      for (const { type } of body.value) types.add(type);
      next = body['@odata.nextLink'];
    }
    expect(sizes).toEqual([10, 10, 6]);
    expect([...types].sort()).toEqual(['seriesMaster', 'singleInstance']);
    expect((await graph.get(`/me/calendars/${side}/events?$top=1001`)).status).toBe(400);
  });

  it('a calendar view needs a range and has its single events, occurrences and exceptions [user-list-calendarview]', async () => {
    await create(meeting({ start: at('2026-12-02T09:00:00'), end: at('2026-12-02T10:00:00') }));
    const { id } = await create(weekly());
    const [first] = await instancesOf(id);
    await graph.send('PATCH', `/me/events/${first!.id}`, { subject: 'Other' });
    const { body } = await graph.get(`/me/calendarView?${december}&$select=subject,type&$top=50`);
    expect(body.value.map(({ type, subject }) => [type, subject])).toEqual([
      ['exception', 'Other'],
      ['singleInstance', 'Meeting'],
      ...Array.from({ length: 4 }, () => ['occurrence', 'Weekly']),
    ]);
    expect((await graph.get('/me/calendarView')).body.error.code).toBe('ErrorInvalidParameter');
  });

  it('an unknown filter is refused', async () => {
    expect((await graph.get(`/me/events?$filter=${encodeURIComponent("contains(subject,'a')")}`)).body.error.code).toBe(
      'ErrorInvalidUrlQueryFilter',
    );
  });
});

describe('series [outlook-schedule-recurring-events]', () => {
  it('a series is returned with its full pattern and its own time zone', async () => {
    const { id } = await create(weekly());
    expect((await graph.get(`/me/events/${id}`)).body).toMatchObject({
      type: 'seriesMaster',
      recurrence: {
        pattern: {
          type: 'weekly',
          interval: 1,
          month: 0,
          dayOfMonth: 0,
          daysOfWeek: ['tuesday'],
          firstDayOfWeek: 'monday',
          index: 'first',
        },
        range: {
          type: 'noEnd',
          startDate: '2026-11-24',
          endDate: '0001-01-01',
          recurrenceTimeZone: 'W. Europe Standard Time',
          numberOfOccurrences: 0,
        },
      },
    });
  });

  it('a series keeps its wall clock time over a daylight saving change', async () => {
    const { id } = await create(weekly());
    const spring = await instancesOf(id, 'startDateTime=2027-03-22T00:00:00Z&endDateTime=2027-04-01T00:00:00Z');
    expect(spring.map(({ start }) => start.dateTime)).toEqual([
      '2027-03-23T08:00:00.0000000',
      '2027-03-30T07:00:00.0000000',
    ]);
  });

  it('each occurrence has its own id, iCalUId and original start [event-list-instances]', async () => {
    const { id } = await create(weekly());
    const list = await instancesOf(id);
    expect(list).toHaveLength(5);
    expect(new Set(list.map((one) => one.id)).size).toBe(5);
    expect(new Set(list.map((one) => (one as unknown as { iCalUId: string }).iCalUId)).size).toBe(5);
    expect(list[0]).toMatchObject({
      type: 'occurrence',
      seriesMasterId: id,
      originalStart: '2026-12-01T08:00:00Z',
      occurrenceId: `OID.${id}.2026-12-01`,
    });
    expect((await graph.get(`/me/events/${list[2]!.id}`)).body).toMatchObject({
      type: 'occurrence',
      start: list[2]!.start,
    });
  });

  it('one request returns a series with its exceptions and cancelled occurrences [event-get, exceptionOccurrences]', async () => {
    const { id } = await create(weekly());
    const [first, second, third] = await instancesOf(id);
    await graph.send('PATCH', `/me/events/${first!.id}`, {
      start: at('2026-12-02T12:00:00'),
      end: at('2026-12-02T13:00:00'),
    });
    expect((await graph.send('DELETE', `/me/events/${second!.id}`)).status).toBe(204);
    const { body } = await graph.get(
      `/me/events/${id}?$select=subject,recurrence,cancelledOccurrences,exceptionOccurrences&$expand=exceptionOccurrences`,
    );
    expect(body.cancelledOccurrences).toEqual([`OID.${id}.2026-12-08`]);
    expect(body.exceptionOccurrences).toMatchObject([
      {
        id: first!.id,
        type: 'exception',
        originalStart: '2026-12-01T08:00:00Z',
        start: at('2026-12-02T12:00:00.0000000'),
        subject: 'Weekly',
      },
    ]);
    expect((await graph.get(`/me/events/${second!.id}`)).status).toBe(404);
    expect((await instancesOf(id)).map((one) => one.id)).toContain(third!.id);
    expect((await graph.get(`/me/events/${id}`)).body).not.toHaveProperty('cancelledOccurrences');
  });

  it("a move onto or over a neighbor's day is refused with 400 ErrorOccurrenceCrossingBoundary [event-update]", async () => {
    const { id } = await create(
      weekly({
        recurrence: { pattern: { type: 'daily', interval: 2 }, range: { type: 'noEnd', startDate: '2026-11-24' } },
      }),
    );
    const [one] = await instancesOf(id);
    const day = one!.start.dateTime.slice(0, 10);
    const shifted = (days: number) => Temporal.PlainDate.from(day).add({ days }).toString();
    const move = (date: string) =>
      graph.send('PATCH', `/me/events/${one!.id}`, { start: at(`${date}T12:00:00`), end: at(`${date}T13:00:00`) });
    expect((await move(shifted(2))).body.error.code).toBe('ErrorOccurrenceCrossingBoundary');
    expect((await move(shifted(-2))).status).toBe(400);
    expect((await move(shifted(1))).status).toBe(200);
  });

  it('exceptions inherit changes of the master, and disappear when its time changes', async () => {
    const { id } = await create(weekly());
    const [first, second] = await instancesOf(id);
    await graph.send('PATCH', `/me/events/${first!.id}`, { showAs: 'free' });
    await graph.send('DELETE', `/me/events/${second!.id}`);
    await graph.send('PATCH', `/me/events/${id}`, { subject: 'Renamed' });
    expect((await instancesOf(id))[0]).toMatchObject({ type: 'exception', subject: 'Renamed', showAs: 'free' });
    const later = {
      start: at('2026-11-24T11:00:00', 'W. Europe Standard Time'),
      end: at('2026-11-24T12:00:00', 'W. Europe Standard Time'),
    };
    expect((await graph.send('PATCH', `/me/events/${id}`, later)).status).toBe(200);
    const list = await instancesOf(id);
    expect(list.map(({ type }) => type)).toEqual(Array.from({ length: 5 }, () => 'occurrence'));
    expect(list[0]).toMatchObject({ showAs: 'busy', start: at('2026-12-01T10:00:00.0000000') });
  });

  it.each([
    ['daily', { type: 'daily', interval: 10 }, ['2026-12-04', '2026-12-14', '2026-12-24']],
    [
      'weekly on several days',
      { type: 'weekly', interval: 2, daysOfWeek: ['Sunday', 'tuesday'], firstDayOfWeek: 'sunday' },
      ['2026-12-06', '2026-12-08', '2026-12-20', '2026-12-22'],
    ],
    [
      'weekly with the week from Monday',
      { type: 'weekly', interval: 2, daysOfWeek: ['sunday', 'tuesday'], firstDayOfWeek: 'monday' },
      ['2026-12-08', '2026-12-13', '2026-12-22', '2026-12-27'],
    ],
    ['absoluteMonthly', { type: 'absoluteMonthly', interval: 1, dayOfMonth: 24 }, ['2026-12-24']],
    [
      'relativeMonthly',
      { type: 'relativeMonthly', interval: 1, daysOfWeek: ['thursday'], index: 'last' },
      ['2026-12-31'],
    ],
    [
      'relativeMonthly on the first of several days',
      { type: 'relativeMonthly', interval: 1, daysOfWeek: ['thursday', 'friday'], index: 'first' },
      ['2026-12-03'],
    ],
    ['absoluteYearly', { type: 'absoluteYearly', interval: 1, dayOfMonth: 15, month: 12 }, ['2026-12-15']],
    [
      'relativeYearly',
      { type: 'relativeYearly', interval: 1, daysOfWeek: ['wednesday'], index: 'second', month: 12 },
      ['2026-12-09'],
    ],
  ])('a recurrence pattern falls on its days: %s [recurrencepattern]', async (_, pattern, days) => {
    const { id } = await create(weekly({ recurrence: { pattern, range: { type: 'noEnd', startDate: '2026-11-24' } } }));
    const list = await instancesOf(id, 'startDateTime=2026-12-01T00:00:00Z&endDateTime=2027-01-01T00:00:00Z');
    expect(list.map(({ start }) => start.dateTime.slice(0, 10))).toEqual(days);
  });

  it('a monthly pattern falls on the last day of a short month, which RFC 5545 would skip', async () => {
    const start = at('2026-10-31T09:00:00');
    const recurrence = {
      pattern: { type: 'absoluteMonthly', interval: 1, dayOfMonth: 31 },
      range: { type: 'numbered', startDate: '2026-10-31', numberOfOccurrences: 5 },
    };
    const { id } = await create(meeting({ start, end: at('2026-10-31T10:00:00'), recurrence }));
    const list = await instancesOf(id, 'startDateTime=2026-01-01T00:00:00Z&endDateTime=2028-01-01T00:00:00Z');
    expect(list.map((one) => one.start.dateTime.slice(5, 10))).toEqual(['10-31', '11-30', '12-31', '01-31', '02-28']);
  });

  it('a range ends after a number or on an included day, and its start need not be an occurrence [recurrencerange]', async () => {
    const until = {
      pattern: { type: 'weekly', interval: 1, daysOfWeek: ['wednesday'] },
      range: { type: 'endDate', startDate: '2026-11-24', endDate: '2026-12-09' },
    };
    const { id } = await create(weekly({ recurrence: until }));
    const list = await instancesOf(id, 'startDateTime=2026-01-01T00:00:00Z&endDateTime=2028-01-01T00:00:00Z');
    expect(list.map((one) => one.start.dateTime.slice(0, 10))).toEqual(['2026-11-25', '2026-12-02', '2026-12-09']);
  });

  const range = { type: 'noEnd', startDate: '2026-11-24' };
  it.each([
    ['no interval', { type: 'daily' }, range],
    ['a type that does not exist', { type: 'hourly', interval: 1 }, range],
    ['weekly without days', { type: 'weekly', interval: 1 }, range],
    ['absoluteMonthly without its day', { type: 'absoluteMonthly', interval: 1 }, range],
    ['absoluteYearly without its month', { type: 'absoluteYearly', interval: 1, dayOfMonth: 3 }, range],
    ['a wrong value where it is ignored', { type: 'daily', interval: 1, index: 'fifth' }, range],
    ['another start date', { type: 'daily', interval: 1 }, { type: 'noEnd', startDate: '2026-11-25' }],
    ['an end date that is missing', { type: 'daily', interval: 1 }, { type: 'endDate', startDate: '2026-11-24' }],
    [
      'no number',
      { type: 'daily', interval: 1 },
      { type: 'numbered', startDate: '2026-11-24', numberOfOccurrences: 0 },
    ],
  ])('a recurrence with %s is refused [recurrencepattern, recurrencerange]', async (_, pattern, wrong) => {
    expect(await refusal(weekly({ recurrence: { pattern, range: wrong } }))).toEqual([
      400,
      'ErrorPropertyValidationFailure',
    ]);
  });

  it('a series without any occurrence or with overlapping ones is refused', async () => {
    const none = {
      pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday'] },
      range: { type: 'endDate', startDate: '2026-11-24', endDate: '2026-11-26' },
    };
    expect(await refusal(weekly({ recurrence: none }))).toEqual([400, 'ErrorRecurrenceHasNoOccurrence']);
    const long = { pattern: { type: 'daily', interval: 1 }, range };
    expect(
      await refusal(weekly({ end: at('2026-11-26T10:00:00', 'W. Europe Standard Time'), recurrence: long })),
    ).toEqual([400, 'ErrorOccurrenceTimeSpanTooBig']);
  });

  it('a time zone of an old client is given by its placeholder name, with times in UTC (M17)', async () => {
    await control.act({
      account,
      do: 'create',
      calendar: 'home',
      event: {
        key: 'old',
        subject: 'Old',
        start: '2026-11-24T09:00',
        zone: 'tzone://Microsoft/Custom',
        repeat: { type: 'daily' },
      },
    });
    const [master] = (await graph.get('/me/events')).body.value;
    expect(master).toMatchObject({
      originalStartTimeZone: 'tzone://Microsoft/Custom',
      start: at('2026-11-24T03:15:00.0000000'),
      recurrence: { range: { recurrenceTimeZone: 'tzone://Microsoft/Custom' } },
    });
  });
});
