import * as z from 'zod/mini';
import { line } from '#kernel/codecs.ts';

/**
 * Actions of the audit log of the install. An action is never renamed or taken away: entries stay for good. Its words are in
 * `audit.action.<action>`.
 */
export const auditActions = [
  'login',
  'role_change',
  'settings_change',
  'user_suspension',
  'user_resumption',
  'verification_resend',
  'mfa_reset',
  'impersonation_start',
  'impersonated_request',
  'impersonation_end',
  'user_export',
  'user_deletion',
  'audit_export',
  'pricing_change',
  'plan_update',
  'trial_extension',
  'code_creation',
  'code_ending',
  'code_redemption',
  'integration_resync',
  'key_creation',
  'key_revocation',
  'flag_change',
  'branding_change',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** Kinds of subjects of an action. */
export const subjectKinds = ['user', 'plan', 'connection', 'flag', 'key', 'setting', 'code'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

/** A few plain values: `{ days: 7 }`. Never a secret, and never a name or an address: entries outlive people. */
export type AuditDetails = Readonly<Record<string, string | number | boolean>>;

/** Why an administrator does something: asked for with every act. */
export const reason = line(500).check(
  z.refine((typed: string) => typed.trim().length >= 3, { error: 'Say why, in three characters at least' }),
);
