import * as z from 'zod/mini';
import { auditActions, reason, subjectKinds } from '#features/accounts/rules/audit.ts';
import { personStates } from '#features/accounts/rules/person-state.ts';
import { exportShape } from '#features/takeout/contract.ts';
import { fileAnswer, id, instantMs, line, uuid } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

/** Rows of a page of the table. */
export const usersPerPage = 10;
/** Up to so many are counted; more is "more than". */
export const usersCounted = 10_000;

const personShape = z.object({
  id: uuid,
  email: z.string(),
  name: z.nullable(z.string()),
  role: z.enum(['user', 'admin']),
  /** Which providers they have connected. */
  integrations: z.array(z.string()),
  /** Null where they have none, or this install asks nobody for money: then everybody has everything. */
  plan: z.nullable(z.string()),
  status: z.enum(personStates),
  hasMfa: z.boolean(),
  createdAt: instantMs,
  lastActive: z.nullable(instantMs),
});

export const entryShape = z.object({
  /** Position in the chain. */
  id: z.int(),
  timestamp: instantMs,
  /** Address of the actor; null for deleted people, and for the install itself. */
  actor: z.nullable(z.string()),
  actorId: z.nullable(uuid),
  actorType: z.enum(['Admin', 'System']),
  actionType: z.enum(auditActions),
  /** The target. A user is shown by address while the account exists. */
  subject: z.nullable(z.object({ kind: z.enum(subjectKinds), id: z.string(), email: z.nullable(z.string()) })),
  reason: z.nullable(z.string()),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  requestId: z.nullable(z.string()),
  hash: z.string(),
});

const params = z.strictObject({ userId: id<'user'>() });
const why = z.strictObject({ reason });
const done = z.object({ person: personShape });
const exported = z.object({ export: z.nullable(exportShape) });

export const userEndpoints = {
  listUsers: endpoint({
    method: 'GET',
    path: '/api/admin/users',
    auth: 'admin',
    summary: 'Users, newest first, ten per page',
    query: z.strictObject({
      /** Part of a name or an address. */
      search: z.optional(line(100)),
      status: z.optional(z.enum(personStates)),
      /** Page after this person, with older ones; or before them, with newer ones. */
      after: z.optional(id<'user'>()),
      before: z.optional(id<'user'>()),
    }),
    output: z.object({
      people: z.array(personShape),
      /** Matching users, counted up to 10,000. */
      total: z.int(),
      hasNewer: z.boolean(),
      hasOlder: z.boolean(),
    }),
  }),
  readUser: endpoint({
    method: 'GET',
    path: '/api/admin/users/{userId}',
    auth: 'admin',
    summary: 'A user, their connections, and recent actions of administrators',
    params,
    output: z.object({
      person: personShape,
      suspendedAt: z.nullable(instantMs),
      sessions: z.int(),
      connections: z.array(z.object({ id: uuid, provider: z.string(), label: z.string(), status: z.string() })),
      /** The newest about them. */
      audit: z.array(entryShape),
      /** Whether it is who asks: nobody does these things to themselves. */
      isYou: z.boolean(),
    }),
  }),
  suspendUser: endpoint({
    method: 'POST',
    path: '/api/admin/users/{userId}/suspension',
    auth: 'admin',
    summary: 'Suspend a user. Sessions end at once and syncing pauses. All data is kept',
    params,
    body: why,
    output: done,
    errors: ['REAUTHENTICATE', 'NOT_YOURSELF', 'ONLY_ADMIN', 'ACCOUNT_LEAVING'],
  }),
  resumeUser: endpoint({
    method: 'POST',
    path: '/api/admin/users/{userId}/resumption',
    auth: 'admin',
    summary: 'End a suspension. The user can sign in, and syncing catches up',
    params,
    body: why,
    output: done,
    errors: ['REAUTHENTICATE', 'NOT_YOURSELF', 'ACCOUNT_LEAVING'],
  }),
  resendUserVerification: endpoint({
    method: 'POST',
    path: '/api/admin/users/{userId}/verification',
    auth: 'admin',
    summary: 'Email the confirmation link to a user again',
    params,
    body: why,
    output: done,
    errors: ['REAUTHENTICATE', 'NOT_YOURSELF', 'ALREADY_VERIFIED', 'ACCOUNT_LEAVING'],
  }),
  resetUserMfa: endpoint({
    method: 'POST',
    path: '/api/admin/users/{userId}/mfa-reset',
    auth: 'admin',
    summary: 'Reset two-factor authentication of a user. Their sessions end',
    params,
    body: why,
    output: done,
    errors: ['REAUTHENTICATE', 'NOT_YOURSELF', 'MFA_NOT_SET_UP', 'ACCOUNT_LEAVING'],
  }),
  impersonateUser: endpoint({
    method: 'POST',
    path: '/api/admin/users/{userId}/impersonation',
    auth: 'admin',
    summary: 'Impersonate a user for at most half an hour. This browser’s session becomes theirs until then',
    params,
    body: why,
    output: z.object({ endsAt: instantMs }),
    errors: ['REAUTHENTICATE', 'NOT_YOURSELF', 'NOT_ADMINISTRATORS', 'NOT_ACTIVE', 'ACCOUNT_LEAVING'],
  }),
  endImpersonation: endpoint({
    method: 'POST',
    path: '/api/impersonation/end',
    auth: 'user',
    summary: 'End an impersonation. The administrator stays signed in',
    output: z.object({ isBack: z.boolean() }),
    errors: ['NOT_IMPERSONATING'],
  }),
  exportUser: endpoint({
    method: 'POST',
    path: '/api/admin/users/{userId}/export',
    auth: 'admin',
    summary: 'Prepare an export of all data of a user',
    params,
    body: why,
    output: exported,
    errors: ['REAUTHENTICATE', 'NOT_YOURSELF', 'ACCOUNT_LEAVING'],
    status: 202,
  }),
  readUserExport: endpoint({
    method: 'GET',
    path: '/api/admin/users/{userId}/export',
    auth: 'admin',
    summary: 'Progress of a user’s data export, if there is one',
    params,
    output: exported,
  }),
  downloadUserExport: endpoint({
    method: 'GET',
    path: '/api/admin/users/{userId}/export/{exportId}/file',
    auth: 'admin',
    summary: 'The export of a user as a zip file. Downloads are audited',
    params: z.extend(params, { exportId: id<'Export'>() }),
    sendsFile: 'application/zip',
    output: fileAnswer,
  }),
  deleteUser: endpoint({
    method: 'POST',
    path: '/api/admin/users/{userId}/deletion',
    auth: 'admin',
    summary: 'Delete an account and all its blocks. `email` confirms the deletion',
    params,
    body: z.strictObject({ reason, email: line(400) }),
    output: z.object({ message: z.string() }),
    errors: ['REAUTHENTICATE', 'NOT_YOURSELF', 'ONLY_ADMIN', 'WRONG_EMAIL', 'ACCOUNT_LEAVING'],
    status: 202,
  }),
};
