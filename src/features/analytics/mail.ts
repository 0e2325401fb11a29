import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { mailWords, sayNumber, sayParts } from '#platform/mail-words.ts';
import type { analyticsContract } from './contract.ts';
import type en from './mail.en.json';

const wordsIn = mailWords<typeof en>(import.meta.dirname);

type Data = Output<typeof analyticsContract.dashboard>['data'];

/** A person's week in figures; one mail for each person and week. */
export function digestMail({
  userId,
  to,
  locale,
  week,
  from,
  lastDay,
  data,
  url,
  expiresAtMs,
}: {
  userId: UserId;
  to: string;
  locale: string;
  week: string;
  from: string;
  lastDay: string;
  data: Data;
  url: string;
  expiresAtMs: number;
}): MailMessage {
  const say = wordsIn(locale);
  const { total_meetings: total, no_show_rate: noShow, avg_booking_time: lead, capacity_utilization: used } = data;
  const unknown = say('digest.unknown');
  const number = (value: number) => sayNumber(value, locale);
  const percent = (value: number, options = {}) => sayNumber(value / 100, locale, { style: 'percent', ...options });
  const share = (value: number | null) => (value === null ? unknown : percent(value));
  const made =
    total.delta_pct === null
      ? say(total.value === 0 ? 'digest.none' : 'digest.new', { value: number(total.value) })
      : say('digest.compared', {
          value: number(total.value),
          delta: percent(total.delta_pct, { signDisplay: 'exceptZero' }),
        });
  const ahead = data.meeting_forecast.forecast?.reduce((sum, { scheduled }) => sum + scheduled, 0) ?? null;
  return {
    key: `analytics.digest:${userId}:${week}`,
    kind: 'analytics.digest',
    to,
    userId,
    locale,
    content: {
      subject: say('digest.subject', { from: sayDate(from, locale), to: sayDate(lastDay, locale) }),
      heading: say('digest.heading'),
      blocks: [
        {
          facts: [
            [say('digest.bookings'), made],
            [say('digest.held'), number(total.held)],
            [say('digest.noShow'), share(noShow.value_pct)],
            [
              say('digest.lead'),
              lead.value_days === null
                ? unknown
                : say('digest.days', { count: lead.value_days, days: number(lead.value_days) }),
            ],
            [say('digest.used'), share(used.utilization_pct)],
            [say('digest.prevented'), number(data.conflict_prevention.conflicts_prevented)],
            [say('digest.ahead'), ahead === null ? unknown : number(ahead)],
          ],
        },
        { button: { label: say('digest.open'), url } },
        { small: say('digest.why') },
      ],
    },
    expiresAtMs,
  };
}

/** `March 1, 2027` of `2027-03-01`. */
const sayDate = (date: string, locale: string) =>
  sayParts(
    Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds,
    { locale, zone: 'UTC' },
    { dateStyle: 'long' },
  );
