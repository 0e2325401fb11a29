import * as z from 'zod/mini';
import type { CrmRecord } from '../../rules/action.ts';
import type { CredentialSettings } from '../../rules/credential.ts';
import { type Heard, lostAnswer, type Refusal, refusalOf, type Sent } from '../../rules/sending.ts';
import type { OpenCredential } from './services.ts';

/**
 * Source: HubSpot, "Contacts" and "Meetings" (upsert a batch by a unique property), "Properties", "Associations v4",
 * "API usage guidelines". Every call may be made twice: what has a unique property is made once.
 */

/** Names a meeting by the booking it stands for. */
const uidProperty = 'holdfast_booking_uid';

const upserted = z.object({ results: z.array(z.object({ id: z.string() })).check(z.minLength(1)) });
const problem = z.object({ category: z.optional(z.string()), policyName: z.optional(z.string()) });

async function send(credential: OpenCredential, record: CrmRecord, nowMs: number): Promise<Sent> {
  const contact = await upsert(credential, 'contacts', 'email', record.contact.email, contactOf(record), nowMs);
  if (!('id' in contact)) return contact;
  const meeting = await upsert(credential, 'meetings', uidProperty, record.externalId, meetingOf(record), nowMs);
  if (!('id' in meeting)) return meeting;
  const path = `/crm/v4/objects/meetings/${meeting.id}/associations/default/contacts/${contact.id}`;
  const heard = await callHubspot(credential, 'PUT', path);
  return doneOr(heard, nowMs);
}

/** The account, and the property that names meetings; made where it is not there yet. */
async function check(
  credential: OpenCredential,
  nowMs: number,
): Promise<{ name: string; settings: CredentialSettings } | Refusal | null> {
  const heard = await callHubspot(credential, 'GET', '/account-info/v3/details');
  if (heard.kind === 'none' || heard.status >= 500) return null;
  const account = z.object({ portalId: z.number() }).safeParse(heard.json);
  if (heard.status !== 200 || !account.success) return hubspotRefusal(heard, nowMs);
  const { portalId } = account.data;
  const named = { name: `HubSpot ${portalId}`, settings: { portalId } };
  const property = await callHubspot(credential, 'GET', `/crm/v3/properties/meetings/${uidProperty}`);
  if (property.kind === 'none' || property.status >= 500) return null;
  if (property.status === 200) return named;
  const made = await callHubspot(credential, 'POST', '/crm/v3/properties/meetings', {
    name: uidProperty,
    label: 'Holdfast booking',
    groupName: 'engagement',
    type: 'string',
    fieldType: 'text',
    hasUniqueValue: true,
    formField: false,
  });
  if (made.kind === 'none' || made.status >= 500) return null;
  // 409: somebody else made it meanwhile
  if (made.status !== 201 && made.status !== 409) return hubspotRefusal(made, nowMs);
  return named;
}

function contactOf({ contact }: CrmRecord): Record<string, string> {
  const [, first = contact.name, last = ''] = /^(\S+)\s+(\S.*)$/s.exec(contact.name.trim()) ?? [];
  return {
    email: contact.email,
    ...(first !== '' && { firstname: first }),
    ...(last !== '' && { lastname: last }),
    ...(contact.phone !== null && { phone: contact.phone }),
  };
}

function meetingOf({ externalId, state, noShow, activity }: CrmRecord): Record<string, string> {
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
  const isOff = state === 'cancelled' || state === 'declined' || state === 'expired';
  return {
    [uidProperty]: externalId,
    hs_timestamp: at(activity.startMs),
    hs_meeting_start_time: at(activity.startMs),
    hs_meeting_end_time: at(activity.endMs),
    hs_meeting_title: activity.title,
    hs_meeting_location: activity.location,
    hs_meeting_external_url: activity.url,
    hs_meeting_outcome: isOff ? 'CANCELED' : noShow ? 'NO_SHOW' : 'SCHEDULED',
  };
}

async function upsert(
  credential: OpenCredential,
  kind: 'contacts' | 'meetings',
  idProperty: string,
  id: string,
  properties: Record<string, string>,
  nowMs: number,
): Promise<{ id: string } | Refusal | { kind: 'unknown' }> {
  const heard = await callHubspot(credential, 'POST', `/crm/v3/objects/${kind}/batch/upsert`, {
    inputs: [{ id, idProperty, properties }],
  });
  const done = doneOr(heard, nowMs);
  if (done.kind !== 'sent') return done;
  const found = upserted.safeParse(heard.kind === 'answer' ? heard.json : null);
  return found.success ? { id: found.data.results[0]!.id } : refused('bad-answer');
}

function doneOr(heard: Heard, nowMs: number): Sent {
  if (heard.kind === 'none' || heard.status >= 500) return lostAnswer(heard);
  return heard.status < 300 ? { kind: 'sent', reference: '' } : hubspotRefusal(heard, nowMs);
}

function callHubspot(
  { call, url, secret }: OpenCredential,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
) {
  return call({
    url: `${url}${path}`,
    method,
    headers: { authorization: `Bearer ${secret.token ?? ''}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

const refused = (reason: string, account?: string): Refusal => ({
  kind: 'refused',
  reason,
  permanent: true,
  ...(account !== undefined && { account }),
});

function hubspotRefusal(heard: Heard & { kind: 'answer' }, nowMs: number): Refusal {
  const { data } = problem.safeParse(heard.json);
  // another call creates the same one right now
  if (heard.status === 409) return { kind: 'refused', reason: 'conflict', permanent: false, retryAfterMs: 2_000 };
  if (heard.status === 401)
    return refused('account-refused', 'HubSpot no longer accepts this token. Connect HubSpot again.');
  if (heard.status === 403) {
    return refused(
      'scope-missing',
      'HubSpot refused access. Let the private app read and write contacts and their schemas.',
    );
  }
  const general = refusalOf(heard, nowMs);
  if (general?.retryAfterMs !== undefined && data?.policyName === 'DAILY') {
    return { ...general, reason: 'daily-limit', retryAfterMs: 3_600_000 };
  }
  return (
    general ?? refused((data?.category ?? `answer-${heard.status}`).toLowerCase().replaceAll('_', '-').slice(0, 60))
  );
}

export const hubspot = { send, check };
