import { hydrateRoot } from 'react-dom/client';
import type { BookingData } from '../rules/visit-data.ts';
import { BookingPage } from './booking-page.tsx';

/** The browser's side of the one page that goes on after it was read. */
const page = document.getElementById('page');
const data = document.getElementById('data');
if (page !== null && data !== null) {
  hydrateRoot(page, <BookingPage data={JSON.parse(data.textContent) as BookingData} />);
}
