import { expect, test } from 'vitest';
import type { BookingFacts } from '#features/booking/public.ts';
import type { UserId } from '#kernel/ids.ts';
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
