/**
 * Owns: people, their sessions, profile and preferences.
 * Announces: accounts.zone-changed, accounts.leaving, accounts.suspended, accounts.resumed,
 *   accounts.lasting-access-ended.
 * Never: holds a secret that proves who somebody is; those are with `access`.
 */
import * as z from 'zod/mini';
import { fileBytes, id, instantMs, line, uuid } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { accountEventKinds } from './rules/account-log.ts';
import { reason } from './rules/audit.ts';
import { accountProfileShape, roles, sessionEndpoints } from './rules/session-endpoints.ts';
import { signUpPolicies } from './rules/sign-up.ts';

export { dateFormats, roles, timeFormats } from './rules/session-endpoints.ts';

/** Empty for none; the address that the profile has; or one elsewhere, whose picture is fetched and kept here. */
const avatarUrl = line(2_000).check(
  z.refine(
    (text: string) => text === '' || /^\/avatars\/[\w-]+\.webp$/.test(text) || URL.parse(text)?.protocol === 'https:',
    { error: 'Expected an https address' },
  ),
);

const pictureErrors = ['PICTURE_TYPE', 'PICTURE_SIZE', 'PICTURE_BROKEN'] as const;

export const profileShape = z.object({
  user_id: uuid,
  email: z.string(),
  /** The part of the e-mail before @ until the person gives one. */
  name: z.string(),
  company: z.nullable(z.string()),
  role: z.enum(roles),
  mfaEnabled: z.boolean(),
});

const deviceShape = z.object({ program: z.nullable(z.string()), system: z.nullable(z.string()) });

export const sessionShape = z.object({
  id: id<'session'>(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
  device: deviceShape,
  ip: z.nullable(z.string()),
  /** The door it was opened at: `password`, `passkey`, `google`, … */
  method: z.string(),
  secondFactor: z.boolean(),
  createdAt: instantMs,
  lastSeenAt: instantMs,
});

export const trailEntryShape = z.object({
  id: uuid,
  at: instantMs,
  kind: z.enum(accountEventKinds),
  /** Null where the operator's own hand was behind it. */
  ip: z.nullable(z.string()),
  device: deviceShape,
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

export const installSettingsShape = z.object({
  requireAdminMfa: z.boolean(),
  signUp: z.enum(signUpPolicies),
  /** Addresses, and domains as `@example.org`, that may sign up where it takes an invitation. */
  signUpAllowed: z.array(z.string()),
  /** Addresses, and domains as `@example.org`, that can book nowhere and answer no form. */
  blockedGuests: z.array(z.string()),
});

export const accountsContract = {
  ...sessionEndpoints,
  logoutEverywhere: endpoint({
    method: 'POST',
    path: '/auth/logout/everywhere',
    auth: 'user',
    summary: 'End all sessions of the account. Optionally end this one, API keys, and published feeds too',
    body: z.strictObject({ includingThis: z.boolean(), end_keys: z.optional(z.boolean()) }),
    output: z.object({ message: z.string(), ended: z.int() }),
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/account/sessions',
    auth: 'user',
    summary: 'Active sessions of the account, last used first',
    output: z.object({ sessions: z.array(sessionShape) }),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/account/sessions/{sessionId}',
    auth: 'user',
    summary: 'End one session immediately',
    params: z.strictObject({ sessionId: id<'session'>() }),
    output: z.void(),
    status: 204,
  }),
  listMailTroubles: endpoint({
    method: 'GET',
    path: '/api/account/mail-troubles',
    auth: 'user',
    summary: 'Addresses of the caller that did not receive their last email',
    output: z.object({
      troubles: z.array(
        z.object({
          to: z.string(),
          /** delayed: tried again. bounced: there is no such mailbox. failed: refused, or never taken in time. */
          state: z.enum(['delayed', 'failed', 'bounced']),
          writtenAt: instantMs,
        }),
      ),
    }),
  }),
  readTrail: endpoint({
    method: 'GET',
    path: '/api/account/trail',
    auth: 'user',
    summary: 'Activity of the account in the last twelve months, newest first',
    query: z.strictObject({ before: z.optional(uuid) }),
    /** `next` is what to ask `before` for more; null at the end. */
    output: z.object({ entries: z.array(trailEntryShape), next: z.nullable(uuid) }),
  }),
  readProfile: endpoint({
    method: 'GET',
    path: '/auth/profile',
    auth: 'user',
    summary: 'The signed-in user',
    output: profileShape,
  }),
  changeProfile: endpoint({
    method: 'PATCH',
    path: '/api/account/profile',
    auth: 'user',
    summary: 'Change the profile. An empty text clears a field',
    body: z.strictObject({
      name: z.optional(line(200)),
      company: z.optional(line(200)),
      phone: z.optional(line(40)),
      avatarUrl: z.optional(avatarUrl),
    }),
    output: accountProfileShape,
    errors: [...pictureErrors, 'PICTURE_UNREACHABLE'],
  }),
  changeAvatar: endpoint({
    method: 'PUT',
    path: '/api/account/avatar',
    auth: 'user',
    summary: 'Upload a picture: PNG, JPEG, WebP, or GIF, at most 2 MB and 16 megapixels. It is cropped to a square',
    takesFile: ['application/octet-stream', 'image/png', 'image/jpeg', 'image/webp', 'image/gif'],
    bodyLimit: 2 * 1024 * 1024,
    body: fileBytes,
    output: accountProfileShape,
    errors: pictureErrors,
  }),
  deleteAccount: endpoint({
    method: 'POST',
    path: '/api/account/deletion',
    auth: 'user',
    summary: 'Delete the account and all its blocks. `email` confirms the deletion',
    body: z.strictObject({ email: line(400) }),
    output: z.object({ message: z.string() }),
    errors: ['REAUTHENTICATE', 'WRONG_EMAIL', 'ONLY_ADMIN'],
    status: 202,
  }),
  removeAvatar: endpoint({
    method: 'DELETE',
    path: '/api/account/avatar',
    auth: 'user',
    summary: 'Remove the picture and show initials instead',
    output: accountProfileShape,
  }),
  readInstallSettings: endpoint({
    method: 'GET',
    path: '/api/admin/settings',
    auth: 'admin',
    summary: 'Settings of this installation',
    output: installSettingsShape,
  }),
  changeInstallSettings: endpoint({
    method: 'PATCH',
    path: '/api/admin/settings',
    auth: 'admin',
    summary: 'Change settings of this installation. Changes take effect immediately in every process',
    body: z.strictObject({
      requireAdminMfa: z.optional(z.boolean()),
      signUp: z.optional(z.enum(signUpPolicies)),
      signUpAllowed: z.optional(z.array(line(320)).check(z.maxLength(200))),
      blockedGuests: z.optional(z.array(line(320)).check(z.maxLength(500))),
      reason,
    }),
    output: installSettingsShape,
    errors: ['REAUTHENTICATE'],
  }),
};
