import { firstDayOf } from '#kernel/languages.ts';
import { dateFormats } from '../contract.ts';

interface UsualFormats {
  timeFormat: '12h' | '24h';
  dateFormat: (typeof dateFormats)[number];
  weekStart: number;
}

/** How those of a locale read times as a rule; of `en-US`, which is everybody's until they say otherwise, as specified. */
export function usualFormats(locale: string): UsualFormats {
  if (locale === 'en-US') return { timeFormat: '12h', dateFormat: 'YYYY-MM-DD', weekStart: 7 };
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
  return {
    timeFormat: hour12 === true ? '12h' : '24h',
    dateFormat: dateFormatOf(locale),
    weekStart: firstDayOf(locale),
  };
}

const figures = { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: 'UTC' } as const;
const names: Readonly<Record<string, string>> = { year: 'YYYY', month: 'MM', day: 'DD' };

/** The available format that the locale uses, otherwise the international one. */
function dateFormatOf(locale: string): UsualFormats['dateFormat'] {
  const written = new Intl.DateTimeFormat(locale, figures)
    .formatToParts(0)
    .map(({ type, value }) => names[type] ?? value)
    .join('');
  return dateFormats.find((format) => format === written) ?? 'YYYY-MM-DD';
}
