import type { Panel } from './measures.ts';

/** The definition of each figure, shown beside it. A new definition means a new count. */
export const definitions: Readonly<Record<Panel, string>> = {
  'booking-trends':
    'Bookings are counted by the day they were made, and a rescheduled booking once. Meetings held are confirmed ' +
    'meetings that are over and that everyone attended, by start. Cancellations are counted by the day they were made, ' +
    'and guest no-shows by start. Lead time is the mean time from booking to start, for bookings made in this period.',
  'popular-time-slots': 'Bookings that were not canceled, by the local hour of their start.',
  'total-meetings':
    'Bookings made in this period. A rescheduled booking counts once. Held meetings start in this period. Upcoming ' +
    'meetings are confirmed bookings made in this period that have not started yet.',
  'no-show-rate':
    'Bookings marked as a guest no-show, as a share of past bookings that start in this period and were not canceled ' +
    'before their start. Bookings without a mark count as held. Host no-shows are counted separately.',
  'avg-booking-time':
    'Mean time from booking to start, in days, for bookings made in this period and not canceled within five minutes.',
  'conversion-rate':
    'Requests that became a confirmed booking within 24 hours, as a share of all requests. A request is a visit in ' +
    'which a visitor chose a time. A visit ends after a pause of 30 minutes. Bots, hosts, and visitors who ask not to ' +
    'be tracked are left out.',
  funnel:
    'Visits to booking pages: saw a page, chose a time, sent the form, were confirmed within 24 hours, and met. Bots, ' +
    'hosts, and visitors who ask not to be tracked are left out.',
  'calendar-health':
    'For each calendar: 35% for how recently it was read, 30% for blocks in place, 20% for successful writes in the last ' +
    '24 hours, 15% for push notifications from its provider. 0 if access is lost. The total is a weighted mean. ' +
    'Calendars that are checked for conflicts or receive blocks count twice. The total is at most 59 while a checked ' +
    'calendar has lost access.',
  'conflict-prevention':
    'Prevented double bookings, each busy event once: refused because the time had become busy, or not offered because ' +
    'of a calendar other than the one for the booking.',
  'meeting-sources':
    'Meetings with other people that start in this period: booked here, or else by the provider of their calendar.',
  'capacity-utilization':
    'Booked time within open hours, as a share of open hours without other events. Open hours are those in effect on ' +
    'each day.',
  'participant-insights':
    'Addresses of people other than you and your colleagues in meetings that start in this period, each once per ' +
    'meeting. New: their first meeting with you is in this period.',
  'meeting-forecast':
    'Meetings with other people that start on a day, counted as in Meeting Sources, plus expected bookings. Expected ' +
    'bookings are the mean of those made later than this many days before, on the same weekday of the last eight weeks.',
};
