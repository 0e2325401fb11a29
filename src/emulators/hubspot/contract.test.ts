import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '#emulators/kit/clock.ts';
import { connectControl } from '#emulators/kit/control-client.ts';
import { fetchInProcess } from '#emulators/kit/fetch-in-process.ts';
import { createHubspot, type HubspotDialect } from './hubspot.ts';

/** The emulator against HubSpot's documents, each named where its rule is tested. */

const base = 'http://hubspot.test';
const token = 'pat-eu1-abc';

interface Answered {
  portalId?: number;
  category?: string;
  policyName?: string;
  results: [{ id: string; new: boolean }];
}

function open() {
  const clock = createClock(Temporal.Instant.from('2027-03-08T12:00:00Z').epochMilliseconds);
  const send = fetchInProcess(createHubspot({ clock }));
  const control = connectControl<HubspotDialect>(base, send);
  const call = async (method: string, path: string, body?: unknown, bearer = token) => {
    const answer = await send(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answered };
  };
  const upsert = (kind: string, id: string, idProperty: string, properties: object) =>
    call('POST', `/crm/v3/objects/${kind}/batch/upsert`, { inputs: [{ id, idProperty, properties }] });
  return { clock, control, call, upsert, send };
}

let hubspot: ReturnType<typeof open>;
beforeEach(async () => {
  hubspot = open();
  await hubspot.control.seed({ portal: 7, token });
  await hubspot.control.seed({ portal: 8, token: 'pat-poor', scopes: [] });
});

it('"Private apps": a token reads its account, and a wrong token is refused', async () => {
  expect((await hubspot.call('GET', '/account-info/v3/details')).body).toMatchObject({ portalId: 7 });
  const refused = await hubspot.call('GET', '/account-info/v3/details', undefined, 'wrong');
  expect([refused.status, refused.body.category]).toEqual([401, 'INVALID_AUTHENTICATION']);
});

describe('"Contacts": upsert a batch', () => {
  it('a contact is created once per email address in any letter case, then updated', async () => {
    const first = await hubspot.upsert('contacts', 'ada@example.com', 'email', {
      email: 'ada@example.com',
      firstname: 'Ada',
    });
    const again = await hubspot.upsert('contacts', 'Ada@example.com', 'email', { firstname: 'Ada L.' });
    expect([first.status, first.body.results[0].new, again.body.results[0].new]).toEqual([200, true, false]);
    expect((await hubspot.control.snapshot())[7]?.contacts).toMatchObject([{ properties: { firstname: 'Ada L.' } }]);
  });

  it('an upsert with an invalid email, key or property is refused, and so is a missing scope', async () => {
    for (const [id, idProperty, properties] of [
      ['nobody', 'email', {}],
      ['ada@example.com', 'firstname', {}],
      ['ada@example.com', 'email', { shoe_size: '38' }],
    ] as const) {
      const { status, body } = await hubspot.upsert('contacts', id, idProperty, properties);
      expect([status, body.category]).toEqual([400, 'VALIDATION_ERROR']);
    }
    const { status, body } = await hubspot.call('POST', '/crm/v3/objects/contacts/batch/upsert', {}, 'pat-poor');
    expect([status, body.category]).toEqual([403, 'MISSING_SCOPES']);
  });
});

describe('"Meetings"', () => {
  const property = {
    name: 'booking_uid',
    label: 'Booking',
    type: 'string',
    fieldType: 'text',
    groupName: 'engagement',
    hasUniqueValue: true,
  };

  it('"Properties": a unique property is created once, then identifies a meeting', async () => {
    expect((await hubspot.call('GET', '/crm/v3/properties/meetings/booking_uid')).status).toBe(404);
    expect((await hubspot.call('POST', '/crm/v3/properties/meetings', property)).status).toBe(201);
    const again = await hubspot.call('POST', '/crm/v3/properties/meetings', property);
    expect([again.status, again.body.category]).toEqual([409, 'CONFLICT']);
    const meeting = { hs_timestamp: '2027-03-09T09:00:00Z', hs_meeting_title: 'Intro' };
    const made = await hubspot.upsert('meetings', 'uid-1', 'booking_uid', meeting);
    await hubspot.upsert('meetings', 'uid-1', 'booking_uid', { hs_meeting_outcome: 'CANCELED' });
    const contact = await hubspot.upsert('contacts', 'ada@example.com', 'email', { email: 'ada@example.com' });
    const [meetingId, contactId] = [made.body.results[0].id, contact.body.results[0].id];
    const path = `/crm/v4/objects/meetings/${meetingId}/associations/default/contacts/${contactId}`;
    // "Associations v4": the same one twice is one
    expect([(await hubspot.call('PUT', path)).status, (await hubspot.call('PUT', path)).status]).toEqual([200, 200]);
    expect((await hubspot.control.snapshot())[7]).toMatchObject({
      meetings: [{ properties: { hs_meeting_title: 'Intro', hs_meeting_outcome: 'CANCELED' } }],
      associations: [`${meetingId} ${contactId}`],
    });
    const page = await (await hubspot.send(`${base}/?account=7`)).text();
    expect(page).toContain('Intro');
  });
});

it('"API usage guidelines": a request over the ten-second limit is refused with 429 and the policy', async () => {
  await hubspot.control.knobs({ perTenSeconds: 1 });
  await hubspot.call('GET', '/account-info/v3/details');
  const { status, body } = await hubspot.call('GET', '/account-info/v3/details');
  expect([status, body.policyName]).toEqual([429, 'TEN_SECONDLY_ROLLING']);
  hubspot.clock.advance(10_000);
  expect((await hubspot.call('GET', '/account-info/v3/details')).status).toBe(200);
});

it('a fault named too-many, refused or conflict answers with its error', async () => {
  const read = () => hubspot.call('GET', '/account-info/v3/details');
  await hubspot.control.addFaults({ name: 'too-many', variant: 'daily' });
  expect((await read()).body.policyName).toBe('DAILY');
  await hubspot.control.addFaults({ name: 'refused' });
  expect((await read()).status).toBe(401);
  await hubspot.control.addFaults({ name: 'conflict' });
  expect((await hubspot.upsert('contacts', 'a@b.example', 'email', {})).status).toBe(409);
});
