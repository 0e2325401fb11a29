import type {
  BookedData,
  BookingData,
  CancelData,
  DeclineData,
  MessageData,
  NoticeData,
  ProfileData,
} from '../rules/visit-data.ts';
import { BookedPage } from './booked/booked-page.tsx';
import { CancelPage, DeclinePage } from './booked/cancel-page.tsx';
import { MessagePage } from './booked/message-page.tsx';
import { BookingPage } from './booking-page.tsx';
import { NoticePage } from './notice-page.tsx';
import { ProfilePage } from './profile-page.tsx';

/** The pages of this feature by their names; features below add theirs and render them all. */
export const pages: Record<string, (data: unknown) => React.ReactNode> = {
  booking: (data) => <BookingPage data={data as BookingData} />,
  booked: (data) => <BookedPage data={data as BookedData} />,
  cancel: (data) => <CancelPage data={data as CancelData} />,
  decline: (data) => <DeclinePage data={data as DeclineData} />,
  message: (data) => <MessagePage data={data as MessageData} />,
  profile: (data) => <ProfilePage data={data as ProfileData} />,
  notice: (data) => <NoticePage data={data as NoticeData} />,
};
