/** Branded ids: a string that says what it names. Minted by the database layer, passed around as is. */

declare const brand: unique symbol;
export type Id<Name extends string> = string & { readonly [brand]: Name };

export type UserId = Id<'user'>;
export type SessionId = Id<'session'>;
export type ConnectionId = Id<'connection'>;
export type CalendarId = Id<'calendar'>;
export type ItemId = Id<'item'>;
export type GroupId = Id<'group'>;
export type MirrorId = Id<'mirror'>;
export type ChannelId = Id<'channel'>;
export type PasskeyId = Id<'passkey'>;
/** A person's identity at a sign-in provider. */
export type IdentityId = Id<'identity'>;
/** An intended change in a calendar. */
export type EditId = Id<'edit'>;
/** A named set of hours, with versions. */
export type PolicyId = Id<'policy'>;
/** A bookable event type. */
export type EventTypeId = Id<'event-type'>;
/** An address that is hard to guess. */
export type BookingLinkId = Id<'booking-link'>;
/** Time of hosts that was given away. */
export type AppointmentId = Id<'appointment'>;
/** Time that a person keeps and that may be booked over. */
export type HoldId = Id<'hold'>;
/** A guest's part of an appointment. */
export type BookingId = Id<'booking'>;
/** Automatic steps after a change of a booking. */
export type WorkflowId = Id<'workflow'>;
/** One of a workflow's actions; the same in all of its versions. */
export type StepId = Id<'step'>;
/** A step for one booking: planned, then done or not, with its reason. */
export type RunId = Id<'run'>;
/** Credentials of a workflow at an outside service. */
export type CredentialId = Id<'credential'>;
/** Several people who take bookings together. */
export type TeamId = Id<'team'>;
export type TeamInvitationId = Id<'team-invitation'>;
/** An address of somebody whom a person meets. */
export type ContactId = Id<'contact'>;
export type NoteId = Id<'note'>;
/** Questions with routing rules. */
export type FormId = Id<'form'>;
/** Answers to a form, with the decision. */
export type SubmissionId = Id<'submission'>;
