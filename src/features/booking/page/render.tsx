import { renderToString } from 'react-dom/server';
import type { BookedData, BookingData, CancelData, NoticeData, ProfileData } from '../rules/visit-data.ts';
import { BookedPage } from './booked-page.tsx';
import { BookingPage } from './booking-page.tsx';
import { CancelPage } from './cancel-page.tsx';
import { NoticePage } from './notice-page.tsx';
import { ProfilePage } from './profile-page.tsx';

/** The server's side of the pages; src/platform/page-bundle.ts loads what is built of it. */

const pages: Record<string, (data: unknown) => React.ReactNode> = {
  booking: (data) => <BookingPage data={data as BookingData} />,
  booked: (data) => <BookedPage data={data as BookedData} />,
  cancel: (data) => <CancelPage data={data as CancelData} />,
  profile: (data) => <ProfilePage data={data as ProfileData} />,
  notice: (data) => <NoticePage data={data as NoticeData} />,
};

export function render(name: string, data: unknown): string {
  const page = pages[name];
  if (page === undefined) throw new Error(`there is no page ${name}`);
  return renderToString(page(data));
}

/** The others are complete without script and stay so. */
export const isLive = (name: string): boolean => name === 'booking';
