import type { BookingFacts } from '#features/booking/public.ts';
import { writeInvitation } from '#features/booking/rules/invitation.ts';
import type { UserId } from '#kernel/ids.ts';
import { shownText } from '#kernel/text/shown-text.ts';
import type { Action, MailReason, Recipient, RenderedAction, RenderedMail } from '../rules/action.ts';
import type { OtherMatter } from '../rules/other-matter.ts';
import { fillVariables, type Values } from '../rules/variables.ts';
import { mailQuoting, plainQuoting, type StepHost, valuesOf, valuesOfOther } from './values.ts';

type Rendered = { ok: true; rendered: RenderedAction } | { ok: false; reason: string };

interface Setting {
  host: StepHost;
  /** The person whose workflow it is: the host, or of a team's the member who looks after it. */
  owner: StepHost;
  publicUrl: string;
  /** The address of the install, as the sender of calendar files. */
  from: string;
  nowMs: number;
  expiresAtMs: number;
}

/** The subject of a step: a booking, or another event. */
export type Told = { booking: BookingFacts } | { other: OtherMatter };

/** An action with its variables filled in, in the zone and language of each it is for. Or why there is nobody it could be for. */
export function renderStep(action: Action, told: Told, setting: Setting): Rendered {
  const refused = (reason: string): Rendered => ({ ok: false, reason });
  const { host, owner } = setting;
  const valuesAs = (to: Recipient, quoting: typeof mailQuoting) =>
    valuesFor(told, to, { host, publicUrl: setting.publicUrl, quoting });
  const fill = (text: string, values: Values) => fillVariables(text, values).trim();
  const asHost: Recipient = { role: 'host', address: host.email, locale: host.locale, zone: host.zone, isProved: true };
  switch (action.kind) {
    case 'send-email': {
      const to = mailRecipients(action.to, told, asHost, owner);
      if (to.length === 0) return refused('no-recipient');
      const mails = to.map((one) => {
        const values = valuesAs(one, mailQuoting);
        return {
          to: one,
          subject: oneLine(fill(action.subject, values)) || '–',
          body: fill(action.body, values) || '–',
          ...peopleOf(told, one, host),
        };
      });
      // a request is in no calendar
      const isCertain = 'booking' in told && told.booking.state !== 'pending';
      const ics = action.ics && isCertain ? writeStepCalendar(told.booking, setting) : null;
      return {
        ok: true,
        rendered: {
          kind: 'send-email',
          mails,
          ics,
          reason: reasonOf(told, host, owner),
          expiresAtMs: setting.expiresAtMs,
        },
      };
    }
    case 'send-sms': {
      const to = phoneRecipient(action.to, told, asHost, host.phone);
      if (to === null) return refused('no-number');
      const body = shownText(fill(action.body, valuesAs(to, plainQuoting)));
      return { ok: true, rendered: { kind: 'send-sms', credentialId: action.credential_id, to, body } };
    }
    case 'notify-slack': {
      const { credential_id: credentialId, channel } = action;
      // a channel is read by others than the host: no link of the guest, times of the host
      const body = shownText(fill(action.body, valuesAs({ ...asHost, role: 'other' }, plainQuoting)));
      return { ok: true, rendered: { kind: 'notify-slack', credentialId, channel, body } };
    }
    case 'push-to-crm': {
      if (!('booking' in told)) return refused('no-booking');
      const { booking } = told;
      if (booking.state === 'held' || booking.state === 'awaiting-mail') return refused('not-confirmed');
      const { guest } = booking;
      return {
        ok: true,
        rendered: {
          kind: 'push-to-crm',
          credentialId: action.credential_id,
          record: {
            externalId: booking.uid,
            sequence: booking.sequence,
            state: booking.state,
            noShow: booking.guestNoShow,
            contact: {
              email: guest.email,
              name: plainQuoting.name(guest.name),
              phone: guest.phone && plainQuoting.name(guest.phone),
            },
            activity: {
              title: plainQuoting.name(booking.title),
              startMs: booking.startMs,
              endMs: booking.endMs,
              host: plainQuoting.name(host.name),
              location: shownText(valuesAs(asHost, plainQuoting).location ?? ''),
              url: `${setting.publicUrl}/meetings?booking=${booking.id}`,
            },
          },
        },
      };
    }
  }
}

function valuesFor(told: Told, to: Recipient, setting: Parameters<typeof valuesOf>[2]): Values {
  return 'booking' in told ? valuesOf(told.booking, to, setting) : valuesOfOther(told.other, to, setting);
}

function mailRecipients(to: string, told: Told, host: Recipient, owner: StepHost): Recipient[] {
  const address = to.toLowerCase();
  if (to === 'host' || address === host.address.toLowerCase()) return [host];
  if (address === owner.email.toLowerCase())
    return [{ role: 'owner', address: owner.email, locale: owner.locale, zone: owner.zone, isProved: true }];
  if (to !== 'guest' && to !== 'guests') return [{ ...host, role: 'other', address: to }];
  const guest = guestOf(told, host.locale);
  if (guest === null || guest.address === '') return [];
  const brought = to === 'guests' && 'booking' in told ? told.booking.guests : [];
  return [guest, ...brought.map((address) => ({ ...guest, role: 'other' as const, address, isProved: false }))];
}

/** A mail to a guest is from the host, and one to the host from the guest. */
function peopleOf(told: Told, { role, locale }: Recipient, host: StepHost): Pick<RenderedMail, 'fromName' | 'replyTo'> {
  if (role !== 'host')
    return {
      fromName: host.name,
      ...(host.shownEmail === null ? {} : { replyTo: { name: host.name, address: host.shownEmail } }),
    };
  const guest = guestOf(told, locale);
  if (guest === null || guest.address === '') return {};
  const name = 'booking' in told ? told.booking.guest.name : told.other.kind === 'form' ? told.other.guest?.name : '';
  return { fromName: name ?? '', replyTo: { name: name ?? '', address: guest.address } };
}

function phoneRecipient(to: string, told: Told, host: Recipient, hostPhone: string | null): Recipient | null {
  if (to === 'host') return hostPhone === null ? null : { ...host, address: hostPhone };
  if (to !== 'guest') return { ...host, role: 'other', address: to };
  const guest = guestOf(told, host.locale);
  const phone =
    'booking' in told ? told.booking.guest.phone : told.other.kind === 'form' ? told.other.guest?.phone : null;
  return guest === null || phone == null ? null : { ...guest, address: phone };
}

function guestOf(told: Told, fallback: string): Recipient | null {
  if ('booking' in told) {
    const { email, zone, locale, isProved } = told.booking.guest;
    return { role: 'guest', address: email, locale: locale ?? fallback, zone, isProved };
  }
  const { other } = told;
  if (other.kind !== 'form' || other.guest === null) return null;
  return { role: 'guest', address: other.guest.email, locale: fallback, zone: other.guest.zone, isProved: false };
}

function reasonOf(told: Told, { userId, name, shownEmail }: StepHost, owner: StepHost): MailReason {
  const people = { ownerId: owner.userId as UserId, host: { id: userId as UserId, name, shownEmail } };
  if ('booking' in told) return { ...people, kind: 'booking', title: told.booking.title, bookedUrl: told.booking.url };
  const { other } = told;
  return other.kind === 'form'
    ? { ...people, kind: 'form', title: other.form, bookedUrl: null }
    : { ...people, kind: 'calendar', title: other.account, bookedUrl: null };
}

const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Writes the calendar file of a meeting: nobody is invited, and no link in it changes anything. */
function writeStepCalendar(
  { uid, sequence, startMs, endMs, title, state, joinUrl, location, organizer }: BookingFacts,
  { host, publicUrl, from, nowMs }: { host: StepHost; publicUrl: string; from: string; nowMs: number },
): string {
  const isCertain = state === 'confirmed';
  const link = isCertain ? joinUrl : null;
  const address = isCertain && location.kind === 'in-person' ? location.address.trim() : '';
  return writeInvitation({
    method: 'PUBLISH',
    organizer:
      // the link of the invitation, while guests may know the address
      organizer !== null && organizer === host.shownEmail
        ? { name: host.name, email: organizer, sentBy: from }
        : { name: host.name, email: from, sentBy: null },
    stampMs: nowMs,
    events: [
      {
        uid,
        sequence,
        startMs,
        endMs,
        zone: host.zone,
        title: `${title}: ${host.name}`,
        notes: link === null ? publicUrl : `${link}\n\n${publicUrl}`,
        place: address === '' ? (link ?? '') : address,
        joinUrl: link,
        isCancelled: !isCertain,
        attendees: [],
      },
    ],
  });
}
