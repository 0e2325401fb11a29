import * as z from 'zod/mini';
import { httpsUrl } from '#features/booking/rules/type-settings.ts';
import { line } from '#kernel/codecs.ts';
import type { ActionKind } from './action.ts';

/** Accounts at services that workflows act through: what a person gives, what of it is shown and what is sealed. */

export const credentialKinds = [
  'twilio',
  'sms-webhook',
  'slack-webhook',
  'slack-bot',
  'crm-webhook',
  'hubspot',
] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** The action that each kind of account serves. */
export const actionOf = {
  twilio: 'send-sms',
  'sms-webhook': 'send-sms',
  'slack-webhook': 'notify-slack',
  'slack-bot': 'notify-slack',
  'crm-webhook': 'push-to-crm',
  hubspot: 'push-to-crm',
} as const satisfies Record<CredentialKind, ActionKind>;

/** Where one click gives a simulated one. */
export const simulatedKinds = ['twilio', 'slack-bot', 'hubspot'] as const satisfies CredentialKind[];

const secret = (most: number) => z.string().check(z.trim(), z.regex(/^[\x21-\x7e]+$/), z.maxLength(most));
/** Slack's ids of conversations, or a name with its hash. */
export const slackChannel = line(80).check(z.regex(/^[CGD][A-Z0-9]{2,30}$|^#[a-z0-9_-]{1,79}$/));
const country = z.string().check(z.regex(/^[A-Z]{2}$/));
const monthlyCap = z.int().check(z.gte(1), z.lte(100_000));
const label = line(80).check(z.trim(), z.minLength(1));

/** The input of a person. */
export const newCredentialShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('twilio'),
    account_sid: z.string().check(z.trim(), z.regex(/^AC[0-9a-f]{32}$/)),
    auth_token: secret(100),
    // a number, or a messaging service
    sender: z.string().check(z.trim(), z.regex(/^\+[1-9][0-9]{6,14}$|^MG[0-9a-f]{32}$/)),
    country: z.nullable(country), // where a number without a country code is
    monthly_cap: monthlyCap,
  }),
  z.strictObject({
    kind: z.literal('sms-webhook'),
    label,
    url: httpsUrl,
    country: z.nullable(country),
    monthly_cap: monthlyCap,
  }),
  z.strictObject({ kind: z.literal('slack-webhook'), label, url: httpsUrl }),
  z.strictObject({ kind: z.literal('slack-bot'), token: secret(300), channel: z.nullable(slackChannel) }),
  z.strictObject({ kind: z.literal('crm-webhook'), label, url: httpsUrl }),
  z.strictObject({ kind: z.literal('hubspot'), token: secret(300) }),
]);
export type NewCredential = z.infer<typeof newCredentialShape>;

/** Settings that may be shown. Absent ones belong to other kinds. */
export interface CredentialSettings {
  accountSid?: string;
  sender?: string;
  country?: string | null;
  monthlyCap?: number;
  /** Where its messages go that name no other channel. */
  channel?: string | null;
  /** The host of the address; the rest is secret. */
  host?: string;
  /** The Slack workspace, `T…`. */
  workspace?: string;
  /** The id of the HubSpot account. */
  portalId?: number;
}

/** The sealed part. */
export interface CredentialSecret {
  token?: string;
  url?: string;
  /** `whsec_…`: what our webhooks are signed with. */
  signing?: string;
}
