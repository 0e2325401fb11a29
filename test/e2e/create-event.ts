import { expect, type Page } from '@playwright/test';
import type { Product } from './product.ts';

/** An event of the first of the person's own calendars, made where the screens make theirs. */
export async function createEvent(
  page: Page,
  product: Product,
  event: { title: string; day: Temporal.PlainDate; from?: string; to?: string },
): Promise<void> {
  const { title, day, from = '10:00', to = '11:00' } = event;
  const { calendars } = (await (await page.request.get(`${product.url}/api/calendars`)).json()) as {
    calendars: { id: string }[];
  };
  const answer = await page.request.post(`${product.url}/events`, {
    headers: { origin: product.url },
    data: {
      title,
      calendar_id: calendars[0]?.id,
      when: {
        kind: 'timed',
        start: `${day.toString()}T${from}`,
        end: `${day.toString()}T${to}`,
        zone: 'Europe/Berlin',
      },
      recurrence: null,
      description: '',
      location: '',
      meeting_link: null,
      attendees: [],
      busy: 'busy',
      private: false,
      reminders: null,
      tell_guests: false,
    },
  });
  expect(answer.status(), await answer.text()).toBe(202);
}
