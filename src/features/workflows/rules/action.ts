import * as z from 'zod/mini';
import { id, line, text } from '#kernel/codecs.ts';
import type { BookingId, CredentialId, RunId, StepId, TeamId, UserId, WorkflowId } from '#kernel/ids.ts';

/** A step of a workflow as its author set it. Texts hold variables (`variables.ts`), the credential is sealed elsewhere. */

/** RFC 5321 without quoted local parts: nothing that a header could take for more than one address. */
const mailAddress = line(254).check(z.trim(), z.regex(/^[^\s<>()[\]\\,;:"@]{1,64}@[^\s<>()[\]\\,;:"@]{1,253}$/));
/** E.164. */
const phoneNumber = line(16).check(z.regex(/^\+[1-9][0-9]{6,14}$/));
const body = (most: number) => text(most).check(z.trim(), z.minLength(1));
const credential = id<'credential'>();

export const actionShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('send-email'),
    // `guests`: whoever booked and whom they bring; of an event without guests nobody
    to: z.union([z.enum(['host', 'guest', 'guests']), mailAddress]),
    subject: line(200).check(z.trim(), z.minLength(1)),
    body: body(4_000),
    ics: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('send-sms'),
    credential_id: credential,
    to: z.union([z.enum(['host', 'guest']), phoneNumber]),
    body: body(640),
  }),
  z.strictObject({
    kind: z.literal('notify-slack'),
    credential_id: credential,
    channel: z.nullable(line(80).check(z.regex(/^[CGD][A-Z0-9]{2,30}$|^#[a-z0-9_-]{1,79}$/))), // null: the webhook's own
    body: body(3_000),
  }),
  z.strictObject({ kind: z.literal('push-to-crm'), credential_id: credential }),
]);
export type Action = z.infer<typeof actionShape>;
export type ActionKind = Action['kind'];
export type ActionOf<Kind extends ActionKind> = Extract<Action, { kind: Kind }>;

/** A recipient of a step. */
export interface Recipient {
  /** `owner`: the person whose workflow it is, where somebody else is the host. */
  role: 'host' | 'owner' | 'guest' | 'other';
  /** A mail address, or a number in E.164. */
  address: string;
  /** BCP 47. */
  locale: string;
  /** IANA. */
  zone: string;
  /** Has shown to read the mail of the address, or agreed to mails there. */
  isProved: boolean;
}

/** Why a mail of a step comes, as its footer says. */
export interface MailReason {
  /** The person whose workflow it is. */
  ownerId: UserId;
  host: { id: UserId; name: string; shownEmail: string | null };
  kind: 'booking' | 'form' | 'calendar';
  /** The title of the booking, or the name of the form. */
  title: string;
  /** The address of the guest's page. */
  bookedUrl: string | null;
}

/** A mail of a step, with the person it comes from and the one who reads an answer. */
export interface RenderedMail {
  fromName?: string;
  replyTo?: { name: string; address: string };
  to: Recipient;
  subject: string;
  body: string;
}

/** A record for a CRM: its contact is found by mail, its activity by `externalId`. Times are epoch ms. */
export interface CrmRecord {
  /** The booking's uid: one activity for each booking, whatever happens to it. */
  externalId: string;
  /** Counts on with each change; what is older than what was pushed is not pushed any more. */
  sequence: number;
  state: 'pending' | 'confirmed' | 'cancelled' | 'declined' | 'expired';
  noShow: boolean;
  contact: { email: string; name: string; phone: string | null };
  activity: { title: string; startMs: number; endMs: number; host: string; location: string; url: string };
}

/** A step's action with its variables filled in, for the people it is for. */
export type RenderedAction =
  | {
      kind: 'send-email';
      mails: readonly RenderedMail[];
      ics: string | null;
      reason: MailReason;
      /** No use in it after that, epoch ms. */
      expiresAtMs: number;
    }
  | { kind: 'send-sms'; credentialId: CredentialId; to: Recipient; body: string }
  | { kind: 'notify-slack'; credentialId: CredentialId; channel: string | null; body: string }
  | { kind: 'push-to-crm'; credentialId: CredentialId; record: CrmRecord };
export type RenderedOf<Kind extends ActionKind> = Extract<RenderedAction, { kind: Kind }>;

/** The owner of a workflow: a person, or a team with the author. */
export interface WorkflowOwner {
  userId: UserId;
  teamId: TeamId | null;
}

/** The run that a step is performed for. */
export interface PerformedRun extends WorkflowOwner {
  id: RunId;
  /** Idempotency key of the work. A manual retry has another one. */
  key: string;
  workflowId: WorkflowId;
  stepId: StepId;
  /** The booking and the version that was read. A write in a transaction compares it. */
  booking: { id: BookingId; sequence: number } | null;
  /** The subject: the booking, the submitted form, the account. */
  subject: string;
  /** 1 for the first. */
  attempt: number;
  isTest: boolean;
}

/** An action with its run. */
export interface Handed<Kind extends ActionKind = ActionKind> {
  run: PerformedRun;
  rendered: RenderedOf<Kind>;
}

/** `reference`: what the other side calls it, or we ourselves, to look it up by. `reason`: a kebab-case code, with no secret in it. */
export type StepOutcome =
  | { outcome: 'done'; reference: string }
  | { outcome: 'refused'; reason: string; permanent: boolean; retryAfterMs?: number }
  /** Skipped: no recipient. */
  | { outcome: 'skipped'; reason: string }
  /** Waits until the reader confirms the address. */
  | { outcome: 'waits'; reason: string };
