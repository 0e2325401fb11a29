import { afterEach, expect, test, vi } from 'vitest';
import type { BookingData } from '../rules/visit-data.ts';
import { sendBooking } from './send-booking.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  ['changed in another tab', 409, 'CHANGED_MEANWHILE', { sequence: '1' }, {}],
  ['given a reason that is too long', 400, 'INVALID_INPUT', { reason: 'Use up to 500 characters.' }, undefined],
])('a booking that was %s is not moved, and the page says why', async (_, status, code, fields, marked = fields) => {
  const detail = { code, message: 'This booking was just changed. Reload the page and try again.', fields };
  vi.stubGlobal('fetch', async () => Response.json({ detail }, { status }));
  const data = { words: {}, moving: { api: '/api/booked/t/reschedule', sequence: 0, backTo: '/booked/t' } };
  const sent = { slot: 1, duration: 30, zone: 'UTC', typed: {}, hold: null };
  expect(await sendBooking(data as unknown as BookingData, sent, vi.fn())).toEqual({
    kind: 'wrong',
    message: status === 409 ? detail.message : null,
    fields: marked,
  });
});
