import { createInstance, type i18n as I18n } from 'i18next';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import type { EventMark } from '#features/calendar/web/find-conflicts.ts';
import type { GridEvent } from '#features/calendar/web/grid-event.ts';
import { timeLabels } from '#features/calendar/web/time-labels.ts';
import { WeekGrid } from '#features/calendar/web/week-grid.tsx';
import { dayMs } from '#kernel/time/civil.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import de from '#web/locales/de/calendar.json' with { type: 'json' };
import en from '#web/locales/en/calendar.json' with { type: 'json' };
import es from '#web/locales/es/calendar.json' with { type: 'json' };
import fr from '#web/locales/fr/calendar.json' with { type: 'json' };
import ja from '#web/locales/ja/calendar.json' with { type: 'json' };

export interface HeroGridProps {
  say: (key: string) => string;
  language: string;
  locale: string;
  hour12: boolean;
  firstDay: number;
}

const words: Readonly<Record<string, object>> = { en, de, fr, es, ja };
const spoken = new Map(
  Object.entries(words).map(([lng, calendar]) => {
    const i18n = createInstance();
    void i18n.use(initReactI18next).init({
      initAsync: false,
      lng,
      resources: { [lng]: { translation: { calendar } } },
      interpolation: { escapeValue: false },
    });
    return [lng, i18n] as const;
  }),
);

const zone = loadZone('UTC') as Zone;
const nothing = () => {};
const noConflicts: ReadonlyMap<string, EventMark> = new Map();

/** The calendars of the drawn week, by the colours of their providers. */
export const heroCalendars = { work: '#4285f4', personal: '#0f9d58', client: '#d9480f' } as const;

/** Day (0 = Monday), from, to (hours), calendar, and name. */
const drawn: readonly (readonly [number, number, number, keyof typeof heroCalendars, string])[] = [
  [0, 9.5, 10.5, 'work', 'planning'],
  [0, 11, 12, 'client', 'review'],
  [0, 12.5, 13.5, 'personal', 'lunch'],
  [1, 9, 9.5, 'personal', 'school'],
  [1, 10, 11.5, 'work', 'booking'],
  [1, 12.5, 14, 'client', 'workshop'],
  [2, 9.5, 11.5, 'work', 'writing'],
  [2, 12, 13, 'personal', 'dentist'],
];
const dayCount = 3;

/** The week grid of the product with a week that was made up for it. Nothing in it answers: it is a picture. */
export function HeroGrid({ say, language, locale, hour12, firstDay }: HeroGridProps) {
  const eventOf = (
    [day, from, to, of, name]: (typeof drawn)[number],
    id: string,
    more: Partial<GridEvent> = {},
  ): GridEvent => ({
    id,
    itemId: id,
    title: say(`hero.${name}`),
    startMs: (firstDay + day) * dayMs + from * 3_600_000,
    endMs: (firstDay + day) * dayMs + to * 3_600_000,
    allDay: undefined,
    calendarId: of,
    calendarName: say(`hero.${of}`),
    calendarBadge: '',
    accountEmail: '',
    provider: 'holdfast',
    color: heroCalendars[of],
    isMirror: false,
    mirrorOf: undefined,
    copies: undefined,
    blocks: true,
    isFree: false,
    isTentative: false,
    isUnanswered: false,
    isFocus: false,
    isDeclined: false,
    isPrivate: false,
    isRecurring: false,
    notEditable: undefined,
    attendees: [],
    audience: 'personal',
    description: '',
    location: '',
    meetingLink: undefined,
    isWaiting: false,
    openUrl: undefined,
    ...more,
  });
  // each event with its blocks: those of the booking at full width, so that they read "Busy"
  const events = drawn.flatMap((one, at) => {
    const [day, from, to, of, name] = one;
    const isBooking = name === 'booking';
    const others = (['work', 'personal', 'client'] as const).filter((calendar) => calendar !== of);
    const more = isBooking ? {} : { isMirror: true, blocks: false, mirrorOf: say(`hero.${name}`) };
    return [
      eventOf(one, isBooking ? 'booking' : `drawn-${at}`),
      ...others.map((calendar, n) =>
        eventOf([day, from, to, calendar, 'busy'], isBooking ? `mirror-${n + 1}` : `drawn-${at}-${n}`, more),
      ),
    ];
  });
  return (
    <I18nextProvider i18n={(spoken.get(language) ?? spoken.get('en')) as I18n}>
      <WeekGrid
        events={events}
        conflicts={noConflicts}
        titleOf={() => undefined}
        zone={zone}
        firstDay={firstDay}
        dayCount={dayCount}
        nowMs={firstDay * dayMs - 1}
        labels={timeLabels({ locale, timeFormat: hour12 ? '12h' : '24h' })}
        hourPx={56}
        maxBarRows={1}
        slimMirrors
        onDay={nothing}
        onBeyond={nothing}
        renderMirrors={() => null}
      />
    </I18nextProvider>
  );
}
