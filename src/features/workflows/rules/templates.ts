import type { CredentialId, StepId } from '#kernel/ids.ts';
import type { Action, ActionKind } from './action.ts';
import { type Definition, isAboutBooking, type Trigger } from './definition.ts';

/** Workflows to start from: real ones, which their person changes as they like. Their words are the product's, in English. */

export const templateKeys = ['reminder', 'thanks', 'welcome', 'cancelled', 'no-show', 'host-brief'] as const;
export type TemplateKey = (typeof templateKeys)[number];

type Draft = Pick<Definition, 'trigger' | 'offset'> & {
  to: 'guest' | 'host';
  subject: string;
  body: string;
  ics?: true;
};

const drafts: Record<TemplateKey, Draft> = {
  reminder: {
    trigger: 'before-event',
    offset: { amount: 24, unit: 'hours' },
    to: 'guest',
    subject: 'Tomorrow: {event_name}, {event_time}',
    body: 'Hello {guest_first_name},\n\nwe meet on {event_date} at {event_time}.\n\nWhere: {location}\n\nTo change or cancel it: {booking_link}\n\n{host_name}',
    ics: true,
  },
  thanks: {
    trigger: 'after-event',
    offset: { amount: 1, unit: 'hours' },
    to: 'guest',
    subject: 'Thank you for your time, {guest_first_name}',
    body: 'Hello {guest_first_name},\n\nthank you for meeting me.\n\nTo book another time: {book_again_link}\n\n{host_name}',
  },
  welcome: {
    trigger: 'booking-created',
    offset: { amount: 0, unit: 'minutes' },
    to: 'guest',
    subject: 'Before we meet: {event_name}',
    body: 'Hello {guest_first_name},\n\nI look forward to {event_date}.\n\nTo change or cancel it: {booking_link}\n\n{host_name}',
  },
  cancelled: {
    trigger: 'booking-cancelled',
    offset: { amount: 0, unit: 'minutes' },
    to: 'guest',
    subject: 'Another time for {event_name}?',
    body: 'Hello {guest_first_name},\n\nour meeting on {event_date} does not take place. Here you find another time: {book_again_link}\n\n{host_name}',
  },
  'no-show': {
    trigger: 'no-show',
    offset: { amount: 15, unit: 'minutes' },
    to: 'guest',
    subject: 'We missed each other',
    body: 'Hello {guest_first_name},\n\nwe had a meeting at {event_time} and did not find each other. Here you find another time: {book_again_link}\n\n{host_name}',
  },
  'host-brief': {
    trigger: 'before-event',
    offset: { amount: 15, unit: 'minutes' },
    to: 'host',
    subject: 'In 15 minutes: {guest_name}',
    body: '{event_name} with {guest_name} ({guest_email}) at {event_time}.\n\nWhere: {location}\n\n{answers}\n\n{booking_link}',
  },
};

/** A definition of one's own: its step gets an id of its own. */
export function fromTemplate(key: TemplateKey, stepId: StepId): Definition {
  const { trigger, offset, to, subject, body, ics = false } = drafts[key];
  return {
    trigger,
    offset,
    filter: { event_type_ids: null },
    if_past: 'skip',
    if_late: 'skip',
    quiet_hours: null,
    steps: [{ id: stepId, action: { kind: 'send-email', to, subject, body, ics } }],
  };
}

/** The default content of a step. */
export function firstAction(trigger: Trigger): Action {
  const like = templateKeys.find((key) => drafts[key].trigger === trigger);
  if (like !== undefined) {
    const { to, subject, body, ics = false } = drafts[like];
    return { kind: 'send-email', to, subject, body, ics };
  }
  const [subject, body] =
    trigger === 'form-submitted'
      ? ['{form_name}', '{form_answers}']
      : isAboutBooking(trigger)
        ? [
            '{event_name}: {guest_name}',
            '{event_name} with {guest_name}, {event_date} at {event_time}.\n\n{booking_link}',
          ]
        : ['Something needs a look: {calendar_account}', '{calendar_account}: {problem}'];
  return { kind: 'send-email', to: 'host', subject, body, ics: false };
}

/** The same of another kind, through an account. */
export function firstActionOf(kind: ActionKind, trigger: Trigger, credential: CredentialId): Action {
  const like = firstAction(trigger);
  if (kind === 'send-email' || like.kind !== 'send-email') return like;
  if (kind === 'push-to-crm') return { kind, credential_id: credential };
  const body = isAboutBooking(trigger) ? '{event_name}: {event_date}, {event_time}' : like.body;
  return kind === 'send-sms'
    ? { kind, credential_id: credential, to: like.to === 'guest' ? 'guest' : 'host', body }
    : {
        kind,
        credential_id: credential,
        channel: null,
        body: isAboutBooking(trigger) ? `{guest_name}: ${body}` : body,
      };
}
