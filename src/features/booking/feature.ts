import type { Feature } from '#platform/feature.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { reminderUseMs } from './mail.ts';
import { blockedRoutes } from './routes/blocked-routes.ts';
import { bookingRoutes } from './routes/booking-routes.ts';
import { compareRoutes } from './routes/compare-routes.ts';
import { linkRoutes } from './routes/link-routes.ts';
import { questionRoutes } from './routes/question-routes.ts';
import { slotRoutes } from './routes/slot-routes.ts';
import { teamBookingRoutes } from './routes/team-booking-routes.ts';
import { typeRoutes } from './routes/type-routes.ts';
import { measures } from './store/measures.ts';
import { passOverReminders } from './store/told-bookings.ts';
import { pages } from './visit/routes.ts';

export const booking: Feature = {
  name: 'booking',
  routes: [
    compareRoutes,
    typeRoutes,
    linkRoutes,
    slotRoutes,
    bookingRoutes,
    questionRoutes,
    teamBookingRoutes,
    blockedRoutes,
  ],
  pages,
  jobs,
  schedules,
  listeners,
  measures,
  async restored(tx, { nowMs, sendsWaiting }) {
    if (!sendsWaiting) await passOverReminders(tx, { nowMs, lateMs: reminderUseMs });
  },
};
