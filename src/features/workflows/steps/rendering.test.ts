import { expect, test } from 'vitest';
import type { BookingFacts } from '#features/booking/public.ts';
import type { CredentialId, UserId } from '#kernel/ids.ts';
import type { Action } from '../rules/action.ts';
import { sampleBooking } from './previews.ts';
import { renderStep } from './rendering.ts';

const host = {
  userId: 'anna',
  name: 'Anna',
  email: 'anna@example.org',
  shownEmail: null,
  phone: null,
  zone: 'UTC',
  locale: 'en',
  timeFormat: '24h',
} as const;
const setting = {
  host,
  owner: host,
  publicUrl: 'http://localhost',
  from: 'no-reply@example.org',
  nowMs: 0,
  expiresAtMs: 1,
};

/** Mails of a step to a guest and to the host, about a booking in a state. */
function render(to: 'guests' | 'host', booking: Partial<BookingFacts>, body = 'At {location}') {
  const action = { kind: 'send-email', to, subject: 'Soon', body, ics: true } as const;
  const about = { ...sampleBooking('anna' as UserId, 0), guests: ['friend@example.net'], ...booking };
  const made = renderStep(action, { booking: about }, setting);
  if (!made.ok || made.rendered.kind !== 'send-email') throw new Error('no mail');
  return { bodies: made.rendered.mails.map(({ body }) => body), ics: made.rendered.ics?.replaceAll(/\r\n[ \t]/g, '') };
}

const places = [
  [{ kind: 'link', url: 'https://meet.example.com/room' }, 'https://meet.example.com/room'],
  [{ kind: 'in-person', address: 'Main Street 1' }, 'Main Street 1'],
  [{ kind: 'phone', who_calls: 'guest', number: '+49 30 5550123' }, '+49 30 5550123'],
] as const;

test.each(places)(
  'guests read where they meet while a booking is confirmed, and not before or after: %o',
  (location, place) => {
    const joinUrl = location.kind === 'link' ? location.url : null;
    const confirmed = render('guests', { state: 'confirmed', location, joinUrl });
    expect(confirmed.bodies).toEqual([`At ${place}`, `At ${place}`]);
    expect(confirmed.ics).toContain('STATUS:CONFIRMED');
    for (const state of ['pending', 'declined', 'cancelled', 'expired'] as const) {
      const { bodies, ics } = render('guests', { state, location, joinUrl });
      expect(bodies.join(), state).not.toContain(place);
      expect(ics ?? '', state).not.toContain(place);
      // a request is in no calendar, and what is over is taken out of them
      if (state === 'pending') expect(ics).toBeUndefined();
      else expect(ics, state).toContain('STATUS:CANCELLED');
      expect(render('host', { state, location, joinUrl }).bodies, state).toEqual([`At ${place}`]);
    }
  },
);

test('a link that is hard to guess leads back only the guest who booked by it', () => {
  const secret = { bookUrl: null, linkUrl: 'https://example.com/l/abc' };
  expect(render('guests', secret, 'Again: {book_again_link}').bodies).toEqual([
    'Again: https://example.com/l/abc',
    'Again:',
  ]);
  expect(render('host', secret, 'Again: {book_again_link}').bodies).toEqual(['Again:']);
});

test('signs that turn or hide text reach no text message, no channel, and no CRM', () => {
  const signs = /[\u00ad\u200b\u200e\u202a-\u202e\u2066-\u2069]/;
  const sample = sampleBooking('anna' as UserId, 0);
  const guest = { ...sample.guest, name: '\u202egro.elpmaxe\u202c Bob\u00ad', phone: '\u2066+1 212 555 0123\u2069' };
  const location = { kind: 'in-person', address: 'Main\u200b Street\u202e 1' } as const;
  const booking = { ...sample, guest, location, joinUrl: null, state: 'confirmed', title: '\u2067Intro' } as const;
  const credential_id = 'account' as CredentialId;
  const body = '\u202e{host_name}: {event_name}\n{location}\u2069';
  const of = (action: Action) => {
    const made = renderStep(action, { booking }, { ...setting, host: { ...host, name: '\u202bAnna' } });
    return made.ok ? made.rendered : made;
  };
  const shown = 'Anna: Intro\nMain Street 1';
  expect(of({ kind: 'send-sms', to: 'guest', body, credential_id })).toMatchObject({ body: shown });
  expect(of({ kind: 'notify-slack', channel: null, body, credential_id })).toMatchObject({ body: shown });
  const pushed = of({ kind: 'push-to-crm', credential_id });
  expect(pushed).toMatchObject({
    record: {
      contact: { name: 'gro.elpmaxe Bob', phone: '+1 212 555 0123' },
      activity: { title: 'Intro', host: 'Anna', location: 'Main Street 1' },
    },
  });
  expect(JSON.stringify(pushed)).not.toMatch(signs);
});

test('a text message to a guest holds no words, address, or link that was typed in the form', () => {
  const sample = sampleBooking('anna' as UserId, 0);
  const guest = {
    ...sample.guest,
    hasConfirmed: true,
    isProved: true,
    email: 'win@example.org',
    phone: '+12125550123',
  };
  const typed = {
    ...sample,
    guest: { ...guest, name: 'Win www.example.org/now J.R. Smith https://example。org a@example.org' },
    answers: [{ label: 'Topic', answer: 'Call 900' }],
    reason: 'Call 901',
    isReasonOfGuest: true,
  } as BookingFacts;
  const body = '{guest_name}|{guest_first_name}|{guest_email}|{guest_phone}|{answers}|{reason}';
  const action = { kind: 'send-sms', body, credential_id: 'account' as CredentialId } as const;
  const bodyTo = (to: string) => {
    const made = renderStep(
      { ...action, to },
      { booking: typed },
      { ...setting, host: { ...host, phone: '+12125550124' } },
    );
    return made.ok && 'body' in made.rendered ? made.rendered.body : '';
  };
  expect(bodyTo('guest')).toBe(
    'Win www. example. org/ now J. R. Smith https: / / example。 org a@ example. org|Win||||',
  );
  // the host reads what was typed
  expect(bodyTo('host')).toContain('|win@example.org|+12125550123|Topic: Call 900|Call 901');
});
