import type { Panel } from './measures.ts';

/** The definition of each figure, shown beside it. A new definition means a new count. */
export const definitions: Readonly<Record<Panel, string>> = {
  'booking-trends':
    'Bookings by the day they were made, a rescheduled one once; meetings held by their start: over, confirmed, nobody ' +
    'stayed away; cancellations by when they were cancelled; no-shows of guests by start; lead time is the mean from ' +
    'booking to start of the bookings made in that time.',
  'popular-time-slots': 'Bookings that were not cancelled, by the local hour they start in.',
  'total-meetings':
    'Bookings made in this time; one that was rescheduled counts once. Held are meetings that start in this time, ' +
    'upcoming are those of the bookings made in it that are confirmed and still to come.',
  'no-show-rate':
    'Bookings whose guest was marked as not there, of those that are over, start in this time and were not cancelled ' +
    'before their start. What nobody marked was held. Hosts who did not come are counted apart.',
  'avg-booking-time':
    'Mean time from booking to start, in days, of bookings made in this time and not cancelled within five minutes.',
  'conversion-rate':
    'Requests that became a confirmed booking within 24 hours, of all requests. A request is a visit in which somebody ' +
    'chose a time; what one visitor does without a pause of 30 minutes is one visit. Machines, hosts, and whoever asks ' +
    'not to be tracked are left out.',
  funnel:
    'Visits of booking pages: those that saw one, chose a time, sent the form, were confirmed within 24 hours, and met. ' +
    'Machines, hosts, and whoever asks not to be tracked are left out.',
  'calendar-health':
    'Of each calendar 35 % how fresh it is, 30 % how many of its blocks stand, 20 % how many writes of the last 24 hours ' +
    'succeeded, 15 % whether its provider tells of changes; 0 where access is lost. Together weighted, twice for those ' +
    'that are checked for conflicts or take blocks, and at most 59 while one of those that are checked has lost access.',
  'conflict-prevention':
    'Double bookings that did not happen, each busy event once: refused because the time had become busy, or not offered ' +
    'because of a calendar other than the one the booking would have been written to.',
  'meeting-sources':
    'Meetings with somebody else that start in this time: booked here, else by the provider of their calendar.',
  'capacity-utilization':
    'Time booked inside open hours, of open hours without what other events take. Open hours are those that were in ' +
    'force each day.',
  'participant-insights':
    'Addresses of others than you and your colleagues in meetings that start in this time, each once a meeting. New: ' +
    'their first meeting with you is in this time.',
  'meeting-forecast':
    'Meetings with somebody else that start on a day, counted as in Meeting Sources, and the bookings that usually still ' +
    'come: the mean over the last eight same weekdays of what was booked later than this many days before.',
};
