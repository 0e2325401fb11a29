import type { Output } from '#kernel/contract.ts';
import type { analyticsContract } from '../contract.ts';

// by the contract, and not by what the screen makes of it: the tests of browsers know no DOM
type Answer = Output<typeof analyticsContract.dashboard>;
type Dashboard = Answer['data'];

const days = 30;
const heatmap = Array.from({ length: 7 }, (_, day) =>
  Array.from({ length: 24 }, (_, hour) => ({
    hour,
    count: day < 5 && hour >= 9 && hour <= 16 ? ((day * 3 + hour * 5) % 9) + (hour === 10 ? 6 : 0) : 0,
  })),
);
const histogram = Array.from({ length: 24 }, (_, hour) => ({
  hour,
  count: heatmap.reduce((sum, row) => sum + (row[hour]?.count ?? 0), 0),
}));

/** A month of somebody who is booked, for tests: a part of it is what a test is about. */
export function sampleAnswer(part: Partial<Dashboard> = {}, first = '2027-03-01'): Answer {
  const dayAt = (n: number) => Temporal.PlainDate.from(first).add({ days: n }).toString();
  const line = (read: (n: number) => number | null) =>
    Array.from({ length: days }, (_, n) => ({ x: dayAt(n), y: read(n) }));
  const created = line((n) => (n * 7) % 11);
  const total = created.reduce((sum, { y }) => sum + (y ?? 0), 0);
  return {
    range: {
      from: dayAt(0),
      to: dayAt(days),
      zone: 'UTC',
      previous: { from: dayAt(-days), to: first },
    },
    data: {
      booking_trends: {
        series: {
          bookings_created: created,
          meetings_held: line((n) => (n > 24 ? null : (n * 5) % 8)),
          cancellations: line((n) => n % 3),
          no_shows: line((n) => (n % 9 === 0 ? 1 : 0)),
          avg_lead_time_days: line((n) => (n % 4 === 0 ? null : 3 + (n % 5))),
        },
        granularity: 'day',
        total_events: total,
        previous_total_events: 120,
        delta_pct: 12.4,
      },
      popular_time_slots: {
        heatmap,
        hour_histogram: histogram,
        top_slots: histogram.toSorted((a, b) => b.count - a.count || a.hour - b.hour).slice(0, 3),
        total: histogram.reduce((sum, { count }) => sum + count, 0),
        timezone: 'UTC',
        perspective: 'organizer',
      },
      total_meetings: { value: total, delta_pct: 12.4, previous: 120, held: 98, upcoming: 14 },
      no_show_rate: {
        value_pct: 3.2,
        numerator: 3,
        denominator: 94,
        previous_pct: 2.8,
        delta_pct: 0.4,
        host_no_shows: 1,
      },
      avg_booking_time: { value_days: 4.6, previous_days: 5.4, delta_days: -0.8, bookings: total },
      conversion_rate: { value_pct: 61, numerator: 61, denominator: 100, previous_pct: 58.9, delta_pct: 2.1 },
      funnel: {
        stages: [
          { stage: 'viewed', count: 240, previous: 200 },
          { stage: 'chosen', count: 100, previous: 90 },
          { stage: 'submitted', count: 70, previous: 61 },
          { stage: 'confirmed', count: 61, previous: 53 },
          { stage: 'held', count: 40, previous: 33 },
        ],
      },
      calendar_health: {
        total_connected: 3,
        sync_health_score: 94,
        connected_calendars: [
          ['google', 'sam*************', 'Work', 'ok', 40, 100],
          ['outlook', 'sam**************', 'Calendar', 'ok', 130, 94],
          ['icloud', 'sam*********', 'Home', 'error', 7_300, 0],
        ].map(([provider, account, name, status, seconds, score], n) => ({
          calendar_id: `00000000-0000-4000-8000-00000000000${n}`,
          name: String(name),
          provider: String(provider),
          account: String(account),
          status: status as 'ok' | 'error',
          last_sync_sec: Number(seconds),
          score: Number(score),
          weight: 1,
          parts: { freshness: 1, mirrors: 1, errors: 1, push: 1, access: true },
        })),
      },
      conflict_prevention: {
        conflicts_prevented: 7,
        conflicts_last_period: 5,
        rejected: 2,
        masked: 5,
        mirrored_slots_pct: 98.4,
        mirrored_minutes: 984,
        required_minutes: 1_000,
      },
      meeting_sources: {
        sources: [
          { source: 'google', label: 'Google', count: 92 },
          { source: 'outlook', label: 'Outlook', count: 51 },
          { source: 'direct', label: 'Direct bookings', count: 30 },
          { source: 'other', label: 'Other', count: 11 },
        ],
        total: 184,
        previous_total: 160,
        since: null,
      },
      capacity_utilization: {
        hours_open: 168,
        hours_available: 120,
        hours_booked: 51,
        utilization_pct: 43,
        previous_pct: 39,
        since: null,
      },
      participant_insights: {
        top_domains: [
          { domain: 'raman.example', meetings: 12 },
          { domain: 'contoso.example', meetings: 9 },
          { domain: 'fabrikam.example', meetings: 4 },
        ],
        new_participants: 17,
        repeat_participants: 22,
        previous_participants: 31,
      },
      meeting_forecast: {
        forecast: Array.from({ length: 14 }, (_, n) => {
          const expected = [5.2, 4.4, 6, 3.1, 2, 0, 0.4, 3.6, 4, 5.9, 2.2, 1, 0, 0.1][n] ?? 0;
          return {
            date: dayAt(days + n),
            expected_meetings: expected,
            scheduled: Math.floor(expected / 2),
            ratio: expected / 6,
            busy: expected >= 4.8,
          };
        }),
        busy_days: 3,
      },
      ...part,
    },
  };
}
