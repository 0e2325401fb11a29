// Made from the migrations by `npm run db:types`. Do not edit.
import type { Generated, GeneratedAlways } from 'kysely';
import type {
  AppointmentId,
  BookingId,
  BookingLinkId,
  CalendarId,
  ChannelId,
  ConnectionId,
  ContactId,
  CredentialId,
  EditId,
  EventTypeId,
  FormId,
  GroupId,
  HoldId,
  IdentityId,
  ItemId,
  MirrorId,
  NoteId,
  PasskeyId,
  PolicyId,
  RunId,
  SessionId,
  StepId,
  SubmissionId,
  TeamId,
  TeamInvitationId,
  UserId,
  WorkflowId,
} from '#kernel/ids.ts';

export interface AccessBackupCodes {
  user_id: UserId;
  code_hash: Buffer;
}

export interface AccessChallenges {
  id: string;
  token_hash: Buffer;
  user_id: UserId;
  purpose: 'mfa-verify' | 'mfa-enroll';
  session_id: SessionId | null;
  method: string;
  door: 'user' | 'admin';
  secret: string | null;
  attempts: Generated<number>;
  created_at: Generated<Temporal.Instant>;
  expires_at: Temporal.Instant;
}

export interface AccessIdentities {
  id: IdentityId;
  user_id: UserId;
  provider: 'google' | 'microsoft' | 'apple' | 'zoho';
  issuer: string;
  subject: string;
  label: string;
  created_at: Generated<Temporal.Instant>;
  last_used_at: Generated<Temporal.Instant>;
}

export interface AccessMailCodes {
  user_id: UserId;
  purpose: 'verify' | 'reset' | 'change-email';
  email: string;
  code_hash: Buffer;
  expires_at: Temporal.Instant;
}

export interface AccessPasskeys {
  id: PasskeyId;
  user_id: UserId;
  credential_id: Buffer;
  public_key: Buffer;
  sign_count: Generated<number>;
  transports: Generated<string[]>;
  is_synced: boolean;
  name: string;
  created_at: Generated<Temporal.Instant>;
  last_used_at: Temporal.Instant | null;
}

export interface AccessPasswords {
  user_id: UserId;
  hash: string;
  changed_at: Generated<Temporal.Instant>;
}

export interface AccessSetUp {
  only_row: Generated<boolean>;
  used_at: Generated<Temporal.Instant>;
}

export interface AccessSetUpLink {
  only_row: Generated<boolean>;
  printed_at: Generated<Temporal.Instant>;
}

export interface AccessTotp {
  user_id: UserId;
  secret: string;
  last_step: number;
  created_at: Generated<Temporal.Instant>;
}

export interface AccountsActive {
  user_id: string | null;
}

export interface AccountsApiKeys {
  id: string;
  user_id: UserId;
  name: string;
  token_hash: Buffer;
  masked: string;
  scopes: string[];
  second_factor: boolean;
  created_at: Generated<Temporal.Instant>;
  last_used_at: Temporal.Instant | null;
  revoked_at: Temporal.Instant | null;
  expires_at: Generated<Temporal.Instant>;
}

export interface AccountsAudit {
  position: number;
  at: Temporal.Instant;
  actor_id: UserId | null;
  by_system: GeneratedAlways<boolean>;
  action: string;
  subject_kind: string | null;
  subject_id: string | null;
  reason: string | null;
  request_id: string | null;
  details: Generated<unknown>;
  words: GeneratedAlways<string>;
  hash: Buffer;
}

export interface AccountsAuditPending {
  id: GeneratedAlways<number>;
  actor_id: UserId | null;
  action: string;
  subject_kind: string | null;
  subject_id: string | null;
  reason: string | null;
  request_id: string | null;
  details: Generated<unknown>;
}

export interface AccountsAvatars {
  user_id: UserId;
  file: string;
  bytes: Buffer;
  created_at: Generated<Temporal.Instant>;
}

export interface AccountsFarewells {
  user_id: UserId;
}

export interface AccountsFlags {
  name: string;
  enabled: boolean;
  rollout: number;
  changed_at: Generated<Temporal.Instant>;
}

export interface AccountsPeople {
  user_id: string | null;
  role: string | null;
  region: string | null;
  created_at: Temporal.Instant | null;
  leaving: boolean | null;
}

export interface AccountsRemains {
  id: GeneratedAlways<number>;
  user_id: UserId;
  place: string;
  blocks: number;
  reason: string;
}

export interface AccountsSessions {
  id: SessionId;
  user_id: UserId;
  token_hash: Buffer;
  user_agent: string | null;
  ip: string | null;
  created_at: Generated<Temporal.Instant>;
  last_seen_at: Generated<Temporal.Instant>;
  expires_at: Temporal.Instant;
  authenticated_at: Generated<Temporal.Instant>;
  second_factor: Generated<boolean>;
  method: Generated<string>;
  opened_from: SessionId | null;
  impersonator_id: UserId | null;
}

export interface AccountsSettings {
  only_row: Generated<boolean>;
  require_admin_mfa: Generated<boolean>;
  sign_up: Generated<'open' | 'invited' | 'closed'>;
  sign_up_allowed: Generated<string[]>;
  blocked_guests: Generated<string[]>;
}

export interface AccountsTrail {
  id: string;
  seq: GeneratedAlways<number>;
  user_id: UserId;
  at: Generated<Temporal.Instant>;
  kind: string;
  ip: string | null;
  user_agent: string | null;
  details: Generated<unknown>;
}

export interface AccountsUsers {
  id: UserId;
  email: string;
  name: string | null;
  company: string | null;
  phone: string | null;
  role: Generated<'user' | 'admin'>;
  zone: Generated<string>;
  locale: Generated<string>;
  time_format: Generated<'12h' | '24h'>;
  date_format: Generated<string>;
  week_start: Generated<number>;
  notifications: Generated<unknown>;
  created_at: Generated<Temporal.Instant>;
  updated_at: Generated<Temporal.Instant>;
  email_verified_at: Temporal.Instant | null;
  mfa_enabled_at: Temporal.Instant | null;
  leaving_at: Temporal.Instant | null;
  weekends: Generated<boolean>;
  week_numbers: Generated<boolean>;
  more_zones: Generated<string[]>;
  theme: Generated<'system' | 'light' | 'dark'>;
  density: Generated<'comfortable' | 'compact'>;
  suspended_at: Temporal.Instant | null;
  last_active_at: Temporal.Instant | null;
  hide_email: Generated<boolean>;
}

export interface AdminAlerts {
  id: GeneratedAlways<number>;
  rule: string;
  subject: Generated<string>;
  level: 'info' | 'warning' | 'error';
  facts: Generated<unknown>;
  raised_at: Generated<Temporal.Instant>;
  ended_at: Temporal.Instant | null;
}

export interface AdminProbeSums {
  service: string;
  hour: Temporal.Instant;
  good: Generated<number>;
  bad: Generated<number>;
}

export interface AdminProcesses {
  id: string;
  role: 'web' | 'worker' | 'all';
  streams: number;
  started_at: Generated<Temporal.Instant>;
  seen_at: Generated<Temporal.Instant>;
}

export interface AdminWatched {
  only_one: Generated<boolean>;
  watched_at: Temporal.Instant | null;
  measured_at: Generated<Temporal.Instant>;
  services: Generated<unknown>;
  counted_at: Temporal.Instant | null;
  counts: unknown;
  log_days: Generated<number>;
}

export interface AnalyticsBegan {
  only_one: Generated<boolean>;
  at_ms: number;
}

export interface AnalyticsDays {
  host_id: UserId;
  day: Temporal.PlainDate;
  created: number;
  lead_ms: number;
  kept: number;
  kept_lead_ms: number;
  cancelled: number;
  standing: number;
  due: number;
  no_shows: number;
  host_no_shows: number;
}

export interface AnalyticsDigests {
  user_id: UserId;
  asked_ms: number;
}

export interface AnalyticsFacts {
  booking_id: BookingId;
  host_id: UserId;
  event_type_id: EventTypeId | null;
  team_id: TeamId | null;
  calendar_id: CalendarId | null;
  state: 'pending' | 'confirmed' | 'declined' | 'cancelled' | 'expired';
  created_ms: number;
  start_ms: number;
  end_ms: number;
  ended_ms: number | null;
  confirmed_ms: number | null;
  guest_no_show: boolean;
  host_no_show: boolean;
  guest_zone: string | null;
}

export interface AnalyticsMeetings {
  user_id: string | null;
  calendar_id: string | null;
  item_id: string | null;
  start_ms: number | null;
  end_ms: number | null;
  title: string | null;
  key: string | null;
  provider: string | null;
  profile: string | null;
  booked: boolean | null;
  event_type_id: string | null;
  team_id: string | null;
  rec_id: string | null;
  booking_id: string | null;
}

export interface AnalyticsMet {
  user_id: string | null;
  address: string | null;
  key: string | null;
  start_ms: number | null;
  end_ms: number | null;
  title: string | null;
  calendar_id: string | null;
  item_id: string | null;
  rec_id: string | null;
}

export interface AnalyticsPeople {
  user_id: UserId;
  zone: string;
  whole: Generated<boolean>;
}

export interface AnalyticsSalts {
  day: Temporal.PlainDate;
  salt: string;
}

export interface AnalyticsVisits {
  id: GeneratedAlways<number>;
  event_type_id: EventTypeId;
  visitor: Buffer;
  first_ms: number;
  last_ms: number;
  chosen_ms: number | null;
  submitted_ms: number | null;
  booking_id: BookingId | null;
}

export interface AvailabilityDaysOff {
  id: string;
  user_id: UserId;
  first_day: Temporal.PlainDate;
  last_day: Temporal.PlainDate;
  reason: Generated<string>;
}

export interface AvailabilityDefaults {
  user_id: UserId;
  from_ms: number;
  policy_id: PolicyId;
}

export interface AvailabilityHoldRules {
  id: string;
  user_id: UserId;
  kind: 'calendar' | 'title-prefix' | 'color' | 'category' | 'tentative' | 'focus';
  value: Generated<string>;
  rank: Generated<number>;
}

export interface AvailabilityHolds {
  item_id: ItemId;
  user_id: UserId;
  rank: number;
  harden_ms: number | null;
}

export interface AvailabilityHolidays {
  user_id: UserId;
  country: string;
  region: string | null;
  worked: Generated<string[]>;
}

export interface AvailabilityPolicies {
  id: PolicyId;
  user_id: UserId;
  name: string;
  version: number;
  created_ms: number;
  deleted_ms: number | null;
}

export interface AvailabilityPolicyUses {
  kind: string;
  subject_id: string;
  user_id: UserId;
  policy_id: PolicyId;
  n: number | null;
  label: string;
}

export interface AvailabilityRevisions {
  user_id: UserId;
  revision: Generated<string>;
}

export interface AvailabilityTravels {
  id: string;
  user_id: UserId;
  zone: string;
  first_day: Temporal.PlainDate;
  last_day: Temporal.PlainDate;
}

export interface AvailabilityVersions {
  policy_id: PolicyId;
  n: number;
  hours: unknown;
  note: Generated<string>;
  author_id: UserId | null;
  created_ms: number;
  times: GeneratedAlways<number>;
}

export interface BillingCodes {
  id: string;
  code: string;
  percent: number | null;
  amount: number | null;
  currency: string | null;
  months: number | null;
  extra_days: number | null;
  max_uses: number | null;
  uses: Generated<number>;
  expires_ms: number | null;
  made_at: Generated<Temporal.Instant>;
  ended_at: Temporal.Instant | null;
}

export interface BillingCustomers {
  id: string;
  user_id: UserId;
  live: boolean;
  reading: Generated<number>;
  kept: Generated<number>;
  read_at: Temporal.Instant | null;
}

export interface BillingDepartures {
  customer_id: string;
  live: boolean;
  asked_at: Generated<Temporal.Instant>;
}

export interface BillingEvents {
  id: string;
  received_at: Generated<Temporal.Instant>;
}

export interface BillingIntents {
  id: string;
  user_id: UserId;
  kind: 'checkout' | 'change' | 'cancel' | 'keep';
  details: unknown;
  asked_at: Generated<Temporal.Instant>;
  outcome: string | null;
  ended_at: Temporal.Instant | null;
}

export interface BillingInvoices {
  id: string;
  customer_id: string;
  number: string | null;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  total: number;
  currency: string;
  created_ms: number;
  paid_ms: number | null;
  next_attempt_ms: number | null;
  page_url: string | null;
  pdf_url: string | null;
}

export interface BillingPeople {
  user_id: UserId;
  trial_started_ms: number | null;
  trial_ends_ms: number | null;
  customers_lost: Generated<number>;
}

export interface BillingPlans {
  key: string;
  name: string;
  description: Generated<string>;
  amount: number;
  currency: string;
  every: 'month' | 'year';
  features: string[];
  calendars: number | null;
  teams: number | null;
  workflows: number | null;
  history_days: number | null;
  trial_days: number | null;
  trial_eligible: Generated<boolean>;
  active: boolean;
  most_popular: Generated<boolean>;
  position: number;
  revision: Generated<number>;
}

export interface BillingPortals {
  live: boolean;
  configuration_id: string;
}

export interface BillingPrices {
  id: string;
  plan_key: string;
  live: boolean;
  amount: number;
  currency: string;
  every: string;
}

export interface BillingRedemptions {
  code_id: string;
  user_id: UserId;
  redeemed_ms: number;
}

export interface BillingSubscriptions {
  id: string;
  customer_id: string;
  item_id: string;
  status: 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled' | 'unpaid' | 'paused';
  price_id: string;
  amount: number;
  currency: string;
  every: string;
  started_ms: number;
  period_ends_ms: number;
  trial_ends_ms: number | null;
  cancels_ms: number | null;
  ended_ms: number | null;
  unpaid_since_ms: number | null;
  next_amount: number | null;
}

export interface BookingAnswers {
  id: string;
  event_type_id: EventTypeId;
  key_hash: Buffer;
  body_hash: Buffer;
  answer: string | null;
  created_ms: number;
}

export interface BookingAppointments {
  id: AppointmentId;
  user_id: UserId;
  event_type_id: EventTypeId | null;
  host_ids: string[];
  title: string;
  start_ms: number;
  end_ms: number;
  buffer_before_ms: number;
  buffer_after_ms: number;
  seats: number;
  location: unknown;
  join_url: string | null;
  policy_id: string | null;
  policy_n: number | null;
  live: Generated<boolean>;
  calendar_id: CalendarId | null;
  item_id: ItemId | null;
  event_key: string;
  writes: Generated<number>;
  event_ref: string | null;
  restores: Generated<number>;
  turn_of: UserId | null;
  assigned_ms: number | null;
  passed: unknown;
}

export interface BookingAudit {
  id: GeneratedAlways<number>;
  booking_id: BookingId;
  at_ms: number;
  actor: 'guest' | 'host' | 'calendar' | 'system';
  kind: string;
  details: Generated<unknown>;
}

export interface BookingBlockedGuests {
  user_id: UserId;
  entries: string[];
}

export interface BookingBlocks {
  appointment_id: AppointmentId;
  host_id: UserId;
  during: string;
  expires_ms: number | null;
}

export interface BookingBooked {
  booking_id: string | null;
  host_id: string | null;
  start_ms: number | null;
  end_ms: number | null;
}

export interface BookingBookings {
  id: BookingId;
  uid: string;
  appointment_id: AppointmentId;
  seat: number;
  user_id: UserId;
  event_type_id: EventTypeId | null;
  link_id: BookingLinkId | null;
  series_id: string | null;
  state: 'held' | 'awaiting-mail' | 'pending' | 'confirmed' | 'declined' | 'cancelled' | 'expired';
  taken: GeneratedAlways<boolean>;
  sequence: Generated<number>;
  expires_ms: number | null;
  token_hash: Buffer | null;
  token: string | null;
  guest_name: string | null;
  guest_email: string | null;
  guest_phone: string | null;
  guest_zone: string | null;
  language: string | null;
  answers: Generated<unknown>;
  guests: Generated<unknown>;
  verified: Generated<boolean>;
  mail_confirmed_ms: number | null;
  reason: string | null;
  ended_by: 'guest' | 'host' | 'calendar' | 'system' | null;
  guest_no_show: Generated<boolean>;
  host_no_show: Generated<boolean>;
  network: Buffer | null;
  created_ms: number;
  confirmed_ms: number | null;
  ended_ms: number | null;
  guest_response: 'accepted' | 'declined' | 'tentative' | null;
  told_without_link: Generated<boolean>;
  series_start_ms: number | null;
  series_zone: string | null;
  arranged_ms: number | null;
  organizer: string | null;
  told: unknown;
  reminded_start_ms: number | null;
  reminded_minutes: number | null;
  cancellation: Generated<unknown>;
  asked: Generated<unknown>;
  series_left_out: Generated<unknown>;
}

export interface BookingComers {
  key: string | null;
  user_id: string | null;
  guest_name: string | null;
  guest_email: string | null;
}

export interface BookingCopies {
  appointment_id: AppointmentId;
  host_id: UserId;
  calendar_id: CalendarId | null;
  item_id: ItemId | null;
  says: Generated<string>;
  writes: Generated<number>;
  event_ref: string | null;
  restores: Generated<number>;
  start_ms: number | null;
  end_ms: number | null;
}

export interface BookingCounted {
  booking_id: string | null;
  host_id: string | null;
  event_type_id: string | null;
  team_id: string | null;
  calendar_id: string | null;
  state: string | null;
  created_ms: number | null;
  start_ms: number | null;
  end_ms: number | null;
  ended_ms: number | null;
  confirmed_ms: number | null;
  guest_no_show: boolean | null;
  host_no_show: boolean | null;
  guest_zone: string | null;
}

export interface BookingEventTypes {
  id: EventTypeId;
  user_id: UserId | null;
  slug: string;
  title: string;
  description: Generated<string>;
  kind: 'one-on-one' | 'group' | 'collective' | 'round-robin';
  position: number;
  hidden: Generated<boolean>;
  secret: Generated<boolean>;
  settings: unknown;
  version: Generated<number>;
  created_at: Generated<Temporal.Instant>;
  updated_at: Generated<Temporal.Instant>;
  deleted_at: Temporal.Instant | null;
  team_id: TeamId | null;
  owner_id: GeneratedAlways<string | null>;
  panel: number | null;
  former_slugs: Generated<string[]>;
}

export interface BookingHandles {
  look: Buffer;
  handle: string | null;
  user_id: UserId | null;
  free_at: Temporal.Instant | null;
  taken_at: Generated<Temporal.Instant>;
  team_id: TeamId | null;
  owner_id: GeneratedAlways<string | null>;
}

export interface BookingHosted {
  appointment_id: AppointmentId | null;
  host_id: UserId | null;
  calendar_id: CalendarId | null;
  item_id: ItemId | null;
  event_ref: string | null;
  writes: number | null;
  restores: number | null;
  start_ms: number | null;
  end_ms: number | null;
}

export interface BookingHosts {
  event_type_id: EventTypeId;
  team_id: TeamId;
  user_id: UserId;
  position: number;
  weight: number;
  priority: number;
  optional: boolean;
  calibration: Generated<number>;
  since_ms: number;
}

export interface BookingIds {
  id: string | null;
}

export interface BookingLapsedInvitations {
  booking_id: string;
  address: string;
  informed: Generated<boolean>;
}

export interface BookingLeftEvents {
  user_id: UserId;
  ref: string;
  appointment_id: AppointmentId;
}

export interface BookingLinks {
  id: BookingLinkId;
  user_id: UserId | null;
  event_type_id: EventTypeId;
  kind: 'private' | 'account' | 'calendar' | 'times' | 'routed';
  label: Generated<string>;
  token_hash: Buffer;
  token: string;
  connection_id: ConnectionId | null;
  calendar_id: CalendarId | null;
  starts: number[] | null;
  duration_minutes: number | null;
  uses_left: number | null;
  expires_at: Temporal.Instant | null;
  created_at: Generated<Temporal.Instant>;
  host_ids: string[] | null;
  owner_first: Generated<boolean>;
}

export interface BookingMeetings {
  appointment_id: string | null;
  key: string | null;
  user_id: string | null;
  calendar_id: string | null;
  item_id: string | null;
  start_ms: number | null;
  end_ms: number | null;
  title: string | null;
}

export interface BookingMet {
  booking_id: string | null;
  start_ms: number | null;
  end_ms: number | null;
  title: string | null;
  item_id: string | null;
  key: string | null;
  host_id: string | null;
}

export interface BookingOwnedTypes {
  id: string | null;
  user_id: string | null;
  team_id: string | null;
  title: string | null;
  position: number | null;
  gone: boolean | null;
}

export interface BookingPrevented {
  host_id: string | null;
  item_id: string | null;
  rec_id: string | null;
  kind: string | null;
  event_type_id: string | null;
  team_id: string | null;
  calendar_id: string | null;
  start_ms: number | null;
  end_ms: number | null;
  at_ms: number | null;
}

export interface BookingPreventions {
  host_id: UserId;
  item_id: ItemId;
  rec_id: string;
  kind: 'rejected' | 'masked';
  event_type_id: EventTypeId | null;
  calendar_id: CalendarId;
  target_calendar_id: CalendarId | null;
  start_ms: number;
  end_ms: number;
  at_ms: number;
}

export interface BookingQuestions {
  id: string;
  user_id: UserId;
  appointment_id: AppointmentId;
  kind: 'moved' | 'deleted' | 'declined' | 'conflict' | 'overbooked';
  subject: Generated<string>;
  start_ms: number | null;
  end_ms: number | null;
  calendar_id: CalendarId | null;
  title: string | null;
  asked_ms: number;
  over_ms: number | null;
  answer: 'follow' | 'restore' | 'cancel' | 'ask-guest' | 'ignore' | null;
}

export interface BookingRouted {
  link_id: string | null;
}

export interface BookingStandIns {
  id: string;
  team_id: TeamId;
  user_id: UserId;
  to_user_id: UserId;
  from_ms: number;
  until_ms: number;
}

export interface BookingTold {
  booking_id: string | null;
  title: string | null;
  guest_name: string | null;
  guest_email: string | null;
}

export interface BookingWaitingUpdates {
  booking_id: string;
  address: string;
  holds: unknown;
  next_ms: number;
}

export interface CalendarInstances {
  user_id: string | null;
  calendar_id: string | null;
  item_id: string | null;
  rec_id: string | null;
  start_ms: number | null;
  end_ms: number | null;
  all_day: boolean | null;
  title: string | null;
  recurring: boolean | null;
}

export interface CalendarItems {
  id: ItemId;
  calendar_id: CalendarId;
  user_id: UserId;
  ref: string;
  uid: string | null;
  version: string;
  provenance: 'foreign' | 'own';
  body: string;
  hash: string;
  title: string | null;
  starts_ms: number | null;
  ends_ms: number | null;
  recurring: Generated<boolean>;
  problem: string | null;
  gone_at: Temporal.Instant | null;
  updated_at: Generated<Temporal.Instant>;
}

export interface CalendarMeetings {
  user_id: string | null;
  calendar_id: string | null;
  item_id: string | null;
  rec_id: string | null;
  start_ms: number | null;
  end_ms: number | null;
  all_day: boolean | null;
  title: string | null;
  recurring: boolean | null;
}

export interface CalendarMet {
  user_id: string | null;
  item_id: string | null;
  rec_id: string | null;
  start_ms: number | null;
  end_ms: number | null;
  title: string | null;
  key: string | null;
}

export interface CalendarPendingSpans {
  edit_id: EditId;
  user_id: UserId;
  calendar_id: CalendarId;
  item_id: ItemId;
  rec_id: string;
  start_ms: number;
  end_ms: number;
  all_day: boolean;
  class: 'busy' | 'soft';
  rank: number;
  title: string | null;
}

export interface CalendarPublishedFeeds {
  id: string;
  user_id: UserId;
  content: 'events' | 'busy';
  token_hash: Buffer;
  token: string;
  created_at: Generated<Temporal.Instant>;
  last_read_at: Temporal.Instant | null;
  is_cut: Generated<boolean>;
}

export interface CalendarSpans {
  user_id: UserId;
  calendar_id: CalendarId;
  item_id: ItemId;
  rec_id: string;
  start_ms: number;
  end_ms: number;
  all_day: boolean;
  class: 'busy' | 'soft' | 'free' | 'ignore';
  rank: Generated<number>;
  meeting: Generated<boolean>;
}

export interface CalendarTaken {
  user_id: string | null;
  calendar_id: string | null;
  start_ms: number | null;
  end_ms: number | null;
}

export interface CalendarUnplanned {
  item_id: ItemId;
  user_id: UserId;
  version: Generated<number>;
}

export interface CalendarZoneData {
  id: Generated<boolean>;
  version: string;
  next_version: string | null;
  done_to: ItemId | null;
}

export interface ConnectionsAccounts {
  id: string | null;
  user_id: string | null;
  provider: string | null;
  profile: string | null;
  label: string | null;
  status: string | null;
}

export interface ConnectionsCalendars {
  id: CalendarId;
  connection_id: ConnectionId;
  user_id: UserId;
  ref: string;
  name: string;
  color: string;
  zone: Generated<string>;
  writable: boolean;
  is_primary: Generated<boolean>;
  include_in_unified: Generated<boolean>;
  visible: Generated<boolean>;
  removed_at: Temporal.Instant | null;
  last_synced_at: Temporal.Instant | null;
  failures: Generated<number>;
  error_code: string | null;
  error_message: string | null;
  created_at: Generated<Temporal.Instant>;
  push_live: Generated<boolean>;
  write_error_code: string | null;
  write_error_message: string | null;
  conferences: string[] | null;
  leaves_at: Temporal.Instant | null;
  warnings: Generated<string[]>;
  zone_named: Generated<boolean>;
}

export interface ConnectionsConnections {
  id: ConnectionId;
  user_id: UserId;
  provider: string;
  profile: Generated<string>;
  label: string;
  base_url: string | null;
  username: string | null;
  secret: string | null;
  addresses: Generated<string[]>;
  status: Generated<'active' | 'error' | 'needs-reconnect' | 'disconnecting'>;
  status_code: string | null;
  status_message: string | null;
  listed_at: Temporal.Instant | null;
  created_at: Generated<Temporal.Instant>;
  updated_at: Generated<Temporal.Instant>;
  subject: string | null;
  grant_no: Generated<number>;
  suspended: Generated<boolean>;
}

export interface ConnectionsInstall {
  only_one: Generated<boolean>;
  mirror_secret: string;
}

export interface ConnectionsKnown {
  id: string | null;
  user_id: string | null;
}

export interface ConnectionsRevocations {
  id: string;
  provider: string;
  profile: string;
  subject: string;
  token: string;
}

export interface ConnectionsStates {
  id: string | null;
  user_id: string | null;
  name: string | null;
  include_in_unified: boolean | null;
  failures: number | null;
  push_live: boolean | null;
  last_synced_ms: number | null;
  provider: string | null;
  profile: string | null;
  label: string | null;
  status: string | null;
  created_at: Temporal.Instant | null;
}

export interface ConnectionsTokens {
  connection_id: ConnectionId;
  revision: Generated<number>;
  refresh_token: string;
  access_token: string;
  access_expires_at: Temporal.Instant;
  scopes: string[];
  lease: string | null;
  lease_until: Generated<Temporal.Instant>;
  refused_code: string | null;
  refused_message: string | null;
}

export interface ConnectionsUncounted {
  id: string | null;
  user_id: string | null;
}

export interface ContactsAttendances {
  item_id: ItemId;
  user_id: UserId;
  address: string;
  only_in: string[] | null;
  not_in: Generated<string[]>;
}

export interface ContactsContacts {
  id: ContactId;
  user_id: UserId;
  person_id: ContactId;
  address: string;
  address_key: string;
  name: string | null;
  name_key: string | null;
  phone: string | null;
  company: string | null;
  tags: Generated<string[]>;
  text: string;
  source: 'booking' | 'calendar' | 'hand' | 'import';
  brought: unknown;
  met: Generated<number>;
  last_ms: number | null;
  next_ms: number | null;
  due_ms: Generated<number | null>;
  created_ms: number;
  changed_ms: number;
  deleted_ms: number | null;
  bookings: Generated<number>;
}

export interface ContactsFollowUps {
  id: string;
  user_id: UserId;
  contact_id: ContactId;
  subject: string;
  body: string;
  at_ms: number;
}

export interface ContactsGuests {
  booking_id: BookingId;
  user_id: UserId;
  address: string;
}

export interface ContactsHeld {
  user_id: UserId;
  address: string;
  key: string;
  start_ms: number;
  end_ms: number;
  title: string | null;
}

export interface ContactsMeetings {
  user_id: string | null;
  address: string | null;
  key: string | null;
  start_ms: number | null;
  end_ms: number | null;
  title: string | null;
  item_id: string | null;
  rec_id: string | null;
  booking_id: string | null;
}

export interface ContactsNotes {
  id: NoteId;
  contact_id: ContactId;
  body: string;
  at_ms: number;
  deleted_ms: number | null;
}

export interface ContactsOwners {
  team_id: TeamId;
  address: string;
  user_id: UserId;
}

export interface ContactsReadings {
  item_id: ItemId;
  calendar_id: CalendarId;
  version: string;
}

export interface ContactsStrangers {
  one_id: ContactId;
  other_id: ContactId;
}

export interface EditsEdits {
  id: EditId;
  seq: GeneratedAlways<number>;
  user_id: UserId;
  connection_id: ConnectionId;
  kind: 'create' | 'change' | 'delete' | 'answer';
  state: Generated<'pending' | 'done' | 'failed' | 'conflict' | 'undone'>;
  calendar_id: CalendarId;
  item_id: ItemId;
  item_ids: string[];
  title: string;
  rec_id: Generated<string>;
  rec_id_after: Generated<string>;
  tell_guests: boolean;
  steps: string;
  step: Generated<number>;
  claim: Generated<number>;
  attempts: Generated<number>;
  not_before_ms: Generated<number>;
  message: string | null;
  theirs: string | null;
  undone_by: string | null;
  dismissed: Generated<boolean>;
  created_ms: number;
  settled_ms: number | null;
  insists: Generated<boolean>;
  refusal: string | null;
}

export interface HelpFirstSteps {
  user_id: UserId;
  copied_at: Temporal.Instant | null;
  skipped_at: Temporal.Instant | null;
}

export interface HoldsAudit {
  hold_id: HoldId;
  n: number;
  at_ms: number;
  kind:
    | 'made'
    | 'changed'
    | 'moved'
    | 'shrunk'
    | 'gave-way'
    | 'returned'
    | 'released'
    | 'removed'
    | 'restored'
    | 'followed';
  details: Generated<unknown>;
}

export interface HoldsHolds {
  id: HoldId;
  user_id: UserId;
  calendar_id: CalendarId;
  title: string;
  rank: number;
  range: unknown;
  expires_ms: number | null;
  harden_ms: number | null;
  home_start_ms: number;
  home_end_ms: number;
  start_ms: number | null;
  end_ms: number | null;
  state: 'held' | 'gave-way' | 'released' | 'removed';
  version: Generated<number>;
  item_id: ItemId | null;
  seen: Generated<boolean>;
  writes: Generated<number>;
  created_ms: number;
  ended_ms: number | null;
}

export interface InboxDevices {
  id: string;
  user_id: UserId;
  session_id: SessionId;
  slot: number;
  subscription: string;
  endpoint_hash: Buffer;
  host: string;
  user_agent: string | null;
  refusals: Generated<number>;
  created_at: Generated<Temporal.Instant>;
  looked_at: Generated<Temporal.Instant>;
}

export interface InboxNotices {
  id: string;
  user_id: UserId;
  kind:
    | 'reconnect'
    | 'stopped'
    | 'calendar'
    | 'breaker'
    | 'mirrors'
    | 'conflict'
    | 'edit'
    | 'booking-moved'
    | 'booking-deleted'
    | 'booking-declined'
    | 'booking-conflict'
    | 'booking-overbooked'
    | 'stale'
    | 'requested'
    | 'booked'
    | 'cancelled'
    | 'invitation'
    | 'panel';
  subject: string;
  details: unknown;
  at: Generated<Temporal.Instant>;
  read_at: Temporal.Instant | null;
  over_at: Temporal.Instant | null;
}

export interface InboxPushKey {
  id: Generated<boolean>;
  public_key: string;
  private_key: string;
}

export interface InboxPushes {
  id: string;
  device_id: string;
  notice_id: string;
  notice_at: Temporal.Instant;
  state: Generated<'queued' | 'sending' | 'sent' | 'failed'>;
  attempts: Generated<number>;
  error: string | null;
  created_at: Generated<Temporal.Instant>;
  expires_at: Temporal.Instant;
}

export interface PlatformBackups {
  id: string;
  taken_at: Temporal.Instant;
  file: string;
  bytes: number;
}

export interface PlatformBrand {
  only_one: Generated<boolean>;
  version: Generated<number>;
  name: string | null;
  color: string | null;
  logo: string | null;
  dark_logo: string | null;
}

export interface PlatformBrandPictures {
  file: string;
  width: number;
  height: number;
  logo: Buffer;
  icon: Buffer;
  used_at: Generated<Temporal.Instant>;
}

export interface PlatformErrors {
  fingerprint: string;
  severity: 'low' | 'medium' | 'high' | 'critical';
  told: string;
  place: string | null;
  cause: string;
  count: number;
  request_ids: string[];
  first_at: Generated<Temporal.Instant>;
  last_at: Generated<Temporal.Instant>;
}

export interface PlatformFeed {
  id: GeneratedAlways<number>;
  user_id: UserId;
  topic: string;
  payload: Generated<unknown>;
  at: Generated<Temporal.Instant>;
}

export interface PlatformLimits {
  key: Buffer;
  full_at: Temporal.Instant;
}

export interface PlatformMails {
  id: string;
  key: string;
  message_id: string;
  kind: string;
  recipient: string;
  user_id: UserId | null;
  body: string | null;
  state: Generated<'queued' | 'sending' | 'sent' | 'failed' | 'bounced'>;
  attempts: Generated<number>;
  next_attempt_at: Generated<Temporal.Instant>;
  expires_at: Temporal.Instant;
  error: string | null;
  created_at: Generated<Temporal.Instant>;
  settled_at: Temporal.Instant | null;
  forget: Generated<boolean>;
  batch: string | null;
  not_before: Temporal.Instant | null;
  about: string[] | null;
}

export interface PlatformMaintenance {
  id: Generated<boolean>;
  message: string;
  begun_at: Generated<Temporal.Instant>;
}

export interface PlatformRecipients {
  id: Generated<string>;
  mailbox: string;
  mails: number;
  since: Generated<Temporal.Instant>;
  stopped_at: Temporal.Instant | null;
  senders: Generated<unknown>;
}

export interface PlatformRestoredJobs {
  id: string;
  name: string;
  payload: unknown;
  key: string | null;
  priority: number;
  start_after: Temporal.Instant;
}

export interface PlatformRestores {
  id: string;
  taken_at: Temporal.Instant;
  restored_at: Generated<Temporal.Instant>;
  sends_waiting: boolean;
  settled_at: Temporal.Instant | null;
}

export interface PlatformSpent {
  hash: Buffer;
  expires_at: Temporal.Instant;
}

export interface RoutingDeeds {
  submission_id: SubmissionId;
  sequence: number;
  at_ms: number;
  actor_id: UserId | null;
  kind: 'rerouted' | 'reassigned';
  was: string;
  became: string;
}

export interface RoutingForms {
  id: FormId;
  user_id: UserId | null;
  team_id: TeamId | null;
  owner_id: GeneratedAlways<string | null>;
  name: string;
  description: string;
  slug: string;
  active: boolean;
  revision: Generated<number>;
  definition: unknown;
  created_ms: number;
  changed_ms: number;
  deleted_ms: number | null;
  former_slugs: Generated<string[]>;
}

export interface RoutingSubmissions {
  id: SubmissionId;
  form_id: FormId;
  revision: number;
  attempt: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  answers: unknown;
  said: unknown;
  decision: unknown;
  link_id: BookingLinkId | null;
  sequence: Generated<number>;
  created_ms: number;
}

export interface SearchAttendances {
  item_id: ItemId;
  user_id: UserId;
  email: string;
}

export interface SearchDocuments {
  item_id: ItemId;
  user_id: UserId;
  version: string;
  text: string;
  meeting: boolean;
  starts_ms: number | null;
  ends_ms: number | null;
}

export interface SearchEventPeople {
  user_id: string | null;
  item_id: string | null;
  email: string | null;
}

export interface SearchEventWords {
  user_id: string | null;
  item_id: string | null;
  text: string | null;
}

export interface SearchPeople {
  user_id: UserId;
  email: string;
  name: string | null;
  text: string;
}

export interface SearchReadings {
  calendar_id: CalendarId;
  seen_at: Temporal.Instant;
}

export interface SiteSubscribers {
  id: string;
  email: string;
  token_hash: Buffer | null;
  asked_at: Generated<Temporal.Instant>;
  confirmed_at: Temporal.Instant | null;
}

export interface SyncAudit {
  id: GeneratedAlways<number>;
  user_id: UserId;
  mirror_id: MirrorId | null;
  origin_item_id: ItemId | null;
  at: Generated<Temporal.Instant>;
  type: string;
  actor: 'user' | 'webhook' | 'poll' | 'sweep';
  status: 'success' | 'error' | 'pending';
  message: string;
  duration_ms: number | null;
  error_code: string | null;
  request_id: string | null;
  before_hash: string | null;
  after_hash: string | null;
}

export interface SyncBlocks {
  id: string | null;
  user_id: string | null;
  origin_item_id: string | null;
  rec_id: string | null;
  target_calendar_id: string | null;
  state: string | null;
  verified_ms: number | null;
  updated_ms: number | null;
}

export interface SyncCallSums {
  provider: string;
  profile: string;
  hour: Temporal.Instant;
  share: number;
  answered: Generated<number>;
  auth: Generated<number>;
  limited: Generated<number>;
  refused: Generated<number>;
  silent: Generated<number>;
  latency: Generated<number[]>;
  last_at: Generated<Temporal.Instant>;
}

export interface SyncChannels {
  id: ChannelId;
  calendar_id: CalendarId;
  connection_id: ConnectionId;
  state: 'opening' | 'live' | 'closing';
  secret_hash: Buffer;
  ref: string | null;
  resource: string | null;
  opened_at: Temporal.Instant;
  renew_at: Temporal.Instant | null;
  expires_at: Temporal.Instant | null;
  noticed_at: Temporal.Instant | null;
}

export interface SyncFences {
  connection_id: ConnectionId;
  token: Generated<number>;
  not_before: Generated<Temporal.Instant>;
  failures: Generated<number>;
}

export interface SyncGroups {
  id: GroupId;
  user_id: UserId;
  name: string;
  enabled: Generated<boolean>;
  rule: Generated<unknown>;
  revision: Generated<number>;
  window_day: Temporal.PlainDate | null;
  created_at: Generated<Temporal.Instant>;
}

export interface SyncMembers {
  calendar_id: CalendarId;
  group_id: GroupId;
  is_source: Generated<boolean>;
  is_target: Generated<boolean>;
}

export interface SyncMirrors {
  id: MirrorId;
  user_id: UserId;
  origin_calendar_id: CalendarId;
  origin_item_id: ItemId;
  origin_uid: string;
  rec_id: Generated<string>;
  target_calendar_id: CalendarId;
  target_connection_id: ConnectionId;
  identity_key: string;
  generation: Generated<number>;
  state: 'pending' | 'created' | 'failed' | 'deleting' | 'skipped';
  reason: string | null;
  desired: string | null;
  desired_hash: string | null;
  near_ms: Generated<number>;
  ref: string | null;
  version: string | null;
  applied_hash: string | null;
  applied_at: Temporal.Instant | null;
  verified_at: Temporal.Instant | null;
  attempts: Generated<number>;
  next_attempt_at: Generated<Temporal.Instant>;
  error_code: string | null;
  error_message: string | null;
  seen: 'changed' | 'gone' | null;
  user_deleted_at: Temporal.Instant | null;
  created_at: Generated<Temporal.Instant>;
  updated_at: Generated<Temporal.Instant>;
  waits: Generated<boolean>;
  restored: Generated<number>;
  restored_at: Temporal.Instant | null;
  removal_tried: Generated<boolean>;
}

export interface SyncPairs {
  group_id: GroupId;
  source_calendar_id: CalendarId;
  target_calendar_id: CalendarId;
  enabled: Generated<boolean>;
  rule: Generated<unknown>;
  breaker: Generated<'closed' | 'waiting' | 'open' | 'allowed' | 'keeping'>;
  breaker_at: Temporal.Instant | null;
  breaker_deletes: number | null;
}

export interface SyncPolls {
  user_id: string | null;
  poll_seconds: number | null;
}

export interface SyncPulls {
  calendar_id: CalendarId;
  user_id: UserId;
  connection_id: ConnectionId;
  cursor: string | null;
  next_pull_at: Generated<Temporal.Instant>;
  last_listing_at: Temporal.Instant | null;
  last_changed_at: Temporal.Instant | null;
  want_listing: Generated<boolean>;
  suspect: Generated<boolean>;
  failures: Generated<number>;
  not_before: Generated<Temporal.Instant>;
  pulled_at: Generated<Temporal.Instant>;
  push_after: Generated<Temporal.Instant>;
  routine: Generated<boolean>;
}

export interface SyncSettings {
  user_id: UserId;
  past_days: number | null;
  future_days: number | null;
  poll_seconds: number | null;
  on_stale: Generated<'block' | 'warn' | 'ignore'>;
  stale_after_minutes: Generated<number>;
}

export interface SyncStandings {
  id: string | null;
  user_id: string | null;
  item_id: string | null;
  rec_id: string | null;
  target_calendar_id: string | null;
  near_ms: number | null;
  state: string | null;
}

export interface SyncTargets {
  calendar_id: string | null;
}

export interface SyncTroubles {
  user_id: UserId;
  kind: 'reconnect' | 'stopped' | 'breaker';
  subject: string;
  since: Generated<Temporal.Instant>;
  told_at: Temporal.Instant | null;
  healed_at: Temporal.Instant | null;
}

export interface SyncWrites {
  mirror_id: string | null;
  at_ms: number | null;
  status: string | null;
}

export interface TakeoutChunks {
  export_id: string;
  seq: number;
  bytes: Buffer;
}

export interface TakeoutExports {
  id: string;
  user_id: UserId;
  state: Generated<'making' | 'ready' | 'failed'>;
  done: Generated<number>;
  total: Generated<number>;
  size_bytes: Generated<number>;
  created_at: Generated<Temporal.Instant>;
  expires_at: Temporal.Instant;
}

export interface TeamsInvitations {
  id: TeamInvitationId;
  team_id: TeamId;
  email: string;
  role: 'admin' | 'editor' | 'viewer';
  token_hash: Buffer;
  invited_by: UserId | null;
  sent_at: Generated<Temporal.Instant>;
  expires_at: Temporal.Instant;
}

export interface TeamsLogos {
  team_id: TeamId;
  file: string;
  bytes: Buffer;
  created_at: Generated<Temporal.Instant>;
}

export interface TeamsMembers {
  team_id: TeamId;
  user_id: UserId;
  role: 'owner' | 'admin' | 'editor' | 'viewer';
  shares: Generated<'busy' | 'details'>;
  joined_at: Generated<Temporal.Instant>;
}

export interface TeamsTeams {
  id: TeamId;
  name: string;
  about: Generated<string>;
  created_at: Generated<Temporal.Instant>;
  deleted_at: Temporal.Instant | null;
}

export interface TeamsTrail {
  seq: GeneratedAlways<number>;
  team_id: TeamId;
  at: Generated<Temporal.Instant>;
  actor_id: UserId | null;
  subject_id: UserId | null;
  kind: string;
  details: Generated<unknown>;
}

export interface TeamsTransfers {
  team_id: TeamId;
  user_id: UserId;
  asked_at: Generated<Temporal.Instant>;
}

export interface WorkflowsAddresses {
  user_id: UserId;
  address: string;
  code_hash: Buffer | null;
  tries: Generated<number>;
  asked_ms: number;
  confirmed_ms: number | null;
}

export interface WorkflowsAttempts {
  run_id: RunId;
  generation: number;
  n: number;
  at_ms: number;
  outcome: 'done' | 'refused' | 'again' | 'unknown';
  reason: string | null;
}

export interface WorkflowsConsents {
  id: GeneratedAlways<number>;
  user_id: UserId;
  phone: string;
  given: boolean;
  source: 'booking' | 'own' | 'stated' | 'message' | 'network';
  source_id: string | null;
  at_ms: number;
}

export interface WorkflowsCredentials {
  id: CredentialId;
  user_id: UserId;
  kind: 'twilio' | 'sms-webhook' | 'slack-webhook' | 'slack-bot' | 'crm-webhook' | 'hubspot';
  label: string;
  settings: unknown;
  secret: string;
  simulated: boolean;
  refused: string | null;
  created_ms: number;
}

export interface WorkflowsCrmRecords {
  credential_id: CredentialId;
  external_id: string;
  sequence: number;
  busy_until_ms: number;
}

export interface WorkflowsDeliveries {
  run_key: string;
  credential_id: CredentialId;
  state: 'trying' | 'done';
  begun_ms: number;
  reference: string | null;
  status: string | null;
  error_code: number | null;
}

export interface WorkflowsReaders {
  id: string;
  user_id: UserId;
  address: string;
  stopped_at: Temporal.Instant | null;
  asked_at: Temporal.Instant | null;
  confirmed_at: Temporal.Instant | null;
}

export interface WorkflowsRuns {
  id: RunId;
  workflow_id: WorkflowId;
  user_id: UserId;
  step_id: StepId;
  version: number;
  position: number;
  kind: string;
  subject: string;
  booking_id: BookingId | null;
  occurrence: number;
  state: 'planned' | 'claimed' | 'handed' | 'done' | 'skipped' | 'dead';
  reason: string | null;
  facts: unknown;
  due_ms: number;
  about_ms: number | null;
  next_ms: number | null;
  attempts: Generated<number>;
  generation: Generated<number>;
  begun: Generated<boolean>;
  reference: string | null;
  created_ms: number;
  settled_ms: number | null;
}

export interface WorkflowsSmsMonths {
  credential_id: CredentialId;
  month: string;
  used: number;
}

export interface WorkflowsVersions {
  workflow_id: WorkflowId;
  n: number;
  definition: unknown;
  author_id: UserId | null;
  created_ms: number;
}

export interface WorkflowsWaitingRuns {
  reader_id: string;
  run_id: RunId;
}

export interface WorkflowsWorkflows {
  id: WorkflowId;
  user_id: UserId;
  team_id: TeamId | null;
  name: string;
  active: boolean;
  version: number;
  trigger: string;
  created_at: Generated<Temporal.Instant>;
  updated_at: Generated<Temporal.Instant>;
  deleted_at: Temporal.Instant | null;
  tags: Generated<string[]>;
}

export interface Tables {
  'access.backup_codes': AccessBackupCodes;
  'access.challenges': AccessChallenges;
  'access.identities': AccessIdentities;
  'access.mail_codes': AccessMailCodes;
  'access.passkeys': AccessPasskeys;
  'access.passwords': AccessPasswords;
  'access.set_up': AccessSetUp;
  'access.set_up_link': AccessSetUpLink;
  'access.totp': AccessTotp;
  'accounts.active': AccountsActive;
  'accounts.api_keys': AccountsApiKeys;
  'accounts.audit': AccountsAudit;
  'accounts.audit_pending': AccountsAuditPending;
  'accounts.avatars': AccountsAvatars;
  'accounts.farewells': AccountsFarewells;
  'accounts.flags': AccountsFlags;
  'accounts.people': AccountsPeople;
  'accounts.remains': AccountsRemains;
  'accounts.sessions': AccountsSessions;
  'accounts.settings': AccountsSettings;
  'accounts.trail': AccountsTrail;
  'accounts.users': AccountsUsers;
  'admin.alerts': AdminAlerts;
  'admin.probe_sums': AdminProbeSums;
  'admin.processes': AdminProcesses;
  'admin.watched': AdminWatched;
  'analytics.began': AnalyticsBegan;
  'analytics.days': AnalyticsDays;
  'analytics.digests': AnalyticsDigests;
  'analytics.facts': AnalyticsFacts;
  'analytics.meetings': AnalyticsMeetings;
  'analytics.met': AnalyticsMet;
  'analytics.people': AnalyticsPeople;
  'analytics.salts': AnalyticsSalts;
  'analytics.visits': AnalyticsVisits;
  'availability.days_off': AvailabilityDaysOff;
  'availability.defaults': AvailabilityDefaults;
  'availability.hold_rules': AvailabilityHoldRules;
  'availability.holds': AvailabilityHolds;
  'availability.holidays': AvailabilityHolidays;
  'availability.policies': AvailabilityPolicies;
  'availability.policy_uses': AvailabilityPolicyUses;
  'availability.revisions': AvailabilityRevisions;
  'availability.travels': AvailabilityTravels;
  'availability.versions': AvailabilityVersions;
  'billing.codes': BillingCodes;
  'billing.customers': BillingCustomers;
  'billing.departures': BillingDepartures;
  'billing.events': BillingEvents;
  'billing.intents': BillingIntents;
  'billing.invoices': BillingInvoices;
  'billing.people': BillingPeople;
  'billing.plans': BillingPlans;
  'billing.portals': BillingPortals;
  'billing.prices': BillingPrices;
  'billing.redemptions': BillingRedemptions;
  'billing.subscriptions': BillingSubscriptions;
  'booking.answers': BookingAnswers;
  'booking.appointments': BookingAppointments;
  'booking.audit': BookingAudit;
  'booking.blocked_guests': BookingBlockedGuests;
  'booking.blocks': BookingBlocks;
  'booking.booked': BookingBooked;
  'booking.bookings': BookingBookings;
  'booking.comers': BookingComers;
  'booking.copies': BookingCopies;
  'booking.counted': BookingCounted;
  'booking.event_types': BookingEventTypes;
  'booking.handles': BookingHandles;
  'booking.hosted': BookingHosted;
  'booking.hosts': BookingHosts;
  'booking.ids': BookingIds;
  'booking.lapsed_invitations': BookingLapsedInvitations;
  'booking.left_events': BookingLeftEvents;
  'booking.links': BookingLinks;
  'booking.meetings': BookingMeetings;
  'booking.met': BookingMet;
  'booking.owned_types': BookingOwnedTypes;
  'booking.prevented': BookingPrevented;
  'booking.preventions': BookingPreventions;
  'booking.questions': BookingQuestions;
  'booking.routed': BookingRouted;
  'booking.stand_ins': BookingStandIns;
  'booking.told': BookingTold;
  'booking.waiting_updates': BookingWaitingUpdates;
  'calendar.instances': CalendarInstances;
  'calendar.items': CalendarItems;
  'calendar.meetings': CalendarMeetings;
  'calendar.met': CalendarMet;
  'calendar.pending_spans': CalendarPendingSpans;
  'calendar.published_feeds': CalendarPublishedFeeds;
  'calendar.spans': CalendarSpans;
  'calendar.taken': CalendarTaken;
  'calendar.unplanned': CalendarUnplanned;
  'calendar.zone_data': CalendarZoneData;
  'connections.accounts': ConnectionsAccounts;
  'connections.calendars': ConnectionsCalendars;
  'connections.connections': ConnectionsConnections;
  'connections.install': ConnectionsInstall;
  'connections.known': ConnectionsKnown;
  'connections.revocations': ConnectionsRevocations;
  'connections.states': ConnectionsStates;
  'connections.tokens': ConnectionsTokens;
  'connections.uncounted': ConnectionsUncounted;
  'contacts.attendances': ContactsAttendances;
  'contacts.contacts': ContactsContacts;
  'contacts.follow_ups': ContactsFollowUps;
  'contacts.guests': ContactsGuests;
  'contacts.held': ContactsHeld;
  'contacts.meetings': ContactsMeetings;
  'contacts.notes': ContactsNotes;
  'contacts.owners': ContactsOwners;
  'contacts.readings': ContactsReadings;
  'contacts.strangers': ContactsStrangers;
  'edits.edits': EditsEdits;
  'help.first_steps': HelpFirstSteps;
  'holds.audit': HoldsAudit;
  'holds.holds': HoldsHolds;
  'inbox.devices': InboxDevices;
  'inbox.notices': InboxNotices;
  'inbox.push_key': InboxPushKey;
  'inbox.pushes': InboxPushes;
  'platform.backups': PlatformBackups;
  'platform.brand': PlatformBrand;
  'platform.brand_pictures': PlatformBrandPictures;
  'platform.errors': PlatformErrors;
  'platform.feed': PlatformFeed;
  'platform.limits': PlatformLimits;
  'platform.mails': PlatformMails;
  'platform.maintenance': PlatformMaintenance;
  'platform.recipients': PlatformRecipients;
  'platform.restored_jobs': PlatformRestoredJobs;
  'platform.restores': PlatformRestores;
  'platform.spent': PlatformSpent;
  'routing.deeds': RoutingDeeds;
  'routing.forms': RoutingForms;
  'routing.submissions': RoutingSubmissions;
  'search.attendances': SearchAttendances;
  'search.documents': SearchDocuments;
  'search.event_people': SearchEventPeople;
  'search.event_words': SearchEventWords;
  'search.people': SearchPeople;
  'search.readings': SearchReadings;
  'site.subscribers': SiteSubscribers;
  'sync.audit': SyncAudit;
  'sync.blocks': SyncBlocks;
  'sync.call_sums': SyncCallSums;
  'sync.channels': SyncChannels;
  'sync.fences': SyncFences;
  'sync.groups': SyncGroups;
  'sync.members': SyncMembers;
  'sync.mirrors': SyncMirrors;
  'sync.pairs': SyncPairs;
  'sync.polls': SyncPolls;
  'sync.pulls': SyncPulls;
  'sync.settings': SyncSettings;
  'sync.standings': SyncStandings;
  'sync.targets': SyncTargets;
  'sync.troubles': SyncTroubles;
  'sync.writes': SyncWrites;
  'takeout.chunks': TakeoutChunks;
  'takeout.exports': TakeoutExports;
  'teams.invitations': TeamsInvitations;
  'teams.logos': TeamsLogos;
  'teams.members': TeamsMembers;
  'teams.teams': TeamsTeams;
  'teams.trail': TeamsTrail;
  'teams.transfers': TeamsTransfers;
  'workflows.addresses': WorkflowsAddresses;
  'workflows.attempts': WorkflowsAttempts;
  'workflows.consents': WorkflowsConsents;
  'workflows.credentials': WorkflowsCredentials;
  'workflows.crm_records': WorkflowsCrmRecords;
  'workflows.deliveries': WorkflowsDeliveries;
  'workflows.readers': WorkflowsReaders;
  'workflows.runs': WorkflowsRuns;
  'workflows.sms_months': WorkflowsSmsMonths;
  'workflows.versions': WorkflowsVersions;
  'workflows.waiting_runs': WorkflowsWaitingRuns;
  'workflows.workflows': WorkflowsWorkflows;
}
