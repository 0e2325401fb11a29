/**
 * The words of a language with which people say when: each a piece of a pattern, without groups that capture. Languages
 * that put words side by side without spaces have patterns of their own (`japanese-patterns.ts`).
 */
export interface TimeWords {
  months: readonly string[];
  /** Names from Monday on. A name with a second meaning counts only with a dot or before a figure. */
  weekdays: readonly string[];
  /** Before a day, before a time, before the first of two, between two, before a length. */
  on: string;
  at: string;
  from: string;
  to: string;
  lasting: string;
  /** After the number of a day; between it and the month, between that and the year. */
  ordinal: string;
  of: string;
  /** After the hour of a time: `13 Uhr`, `13h`. */
  clock: string;
  /** Whether the word also follows a length: `13h` is a time, `2h` a length. */
  clockIsLength: boolean;
  am: string;
  pm: string;
  hours: string;
  minutes: string;
  halfHour: string;
  oneHour: string;
  /** `in 2 weeks`. */
  ahead: string;
  days: string;
  weeks: string;
  monthsAhead: string;
  today: string;
  tonight: string;
  tomorrow: string;
  dayAfter: string;
  /** Before a weekday, and after it. */
  next: string;
  nextAfter: string;
  nextWeek: string;
  nextMonth: string;
  noon: string;
  midnight: string;
  /** `3/12` apart: whether the month may come before the day (`March 9`). */
  monthBeforeDay: boolean;
  /** An hour with this before it is half an hour earlier: `halb vier`. */
  halfTo?: { before: string; names: readonly string[] };
  /** Verbs that may start a request, such as "create" or "go to", and that are not part of a title. */
  verbs: string;
  /** Words to drop from the end of a title. */
  loose: string;
}

/** Matches nothing. */
const never = '(?!)';

/** A word that means something else too: only with a dot, or before a figure. */
const sure = (word: string) => `${word}(?:\\.|(?=,? \\d))`;

export const english: TimeWords = {
  months: [
    'jan(?:uary)?\\.?',
    'feb(?:ruary)?\\.?',
    'mar(?:ch)?\\.?',
    'apr(?:il)?\\.?',
    'may',
    'june?\\.?',
    'july?\\.?',
    'aug(?:ust)?\\.?',
    'sept?(?:ember)?\\.?',
    'oct(?:ober)?\\.?',
    'nov(?:ember)?\\.?',
    'dec(?:ember)?\\.?',
  ],
  weekdays: [
    'mon(?:day)?',
    'tue(?:s(?:day)?)?',
    'wed(?:nesday)?',
    'thu(?:r(?:s(?:day)?)?)?',
    'fri(?:day)?',
    'sat(?:urday)?',
    'sun(?:day)?',
  ],
  on: 'on|this',
  at: 'at',
  from: 'from|at',
  to: 'to|until',
  lasting: 'for',
  ordinal: 'st|nd|rd|th',
  of: ' of',
  clock: never,
  clockIsLength: false,
  am: 'am',
  pm: 'pm',
  hours: 'hours?|hrs?|h',
  minutes: 'minutes?|mins?|m',
  halfHour: 'half an hour',
  oneHour: 'an hour',
  ahead: 'in',
  days: 'days?',
  weeks: 'weeks?',
  monthsAhead: 'months?',
  today: 'today',
  tonight: 'tonight',
  tomorrow: 'tomorrow|tmrw|tom',
  dayAfter: 'the day after tomorrow',
  next: 'next',
  nextAfter: never,
  nextWeek: 'next week',
  nextMonth: 'next month',
  noon: 'noon|midday',
  midnight: 'midnight',
  monthBeforeDay: true,
  verbs: '(?:create|schedule)(?: an?)?(?: event)?|(?:go|jump) to',
  loose: 'on|at|from|in|for',
};

export const german: TimeWords = {
  months: [
    '(?:jan(?:uar)?|jänner)\\.?',
    'feb(?:ruar)?\\.?',
    '(?:märz?|maerz|mrz)\\.?',
    'apr(?:il)?\\.?',
    'mai',
    'jun[io]?\\.?',
    'jul[iy]?\\.?',
    'aug(?:ust)?\\.?',
    'sept?(?:ember)?\\.?',
    'okt(?:ober)?\\.?',
    'nov(?:ember)?\\.?',
    'dez(?:ember)?\\.?',
  ],
  weekdays: [
    `montag|mo\\.?`,
    `dienstag|di\\.?`,
    `mittwoch|mi\\.?`,
    `donnerstag|do\\.?`,
    `freitag|fr\\.?`,
    `samstag|sonnabend|sa\\.?`,
    `sonntag|${sure('so')}`,
  ],
  on: 'am|diesen',
  at: 'um|ab',
  from: 'von|ab|um',
  to: 'bis',
  lasting: 'für',
  ordinal: '\\.',
  of: '',
  clock: 'uhr',
  clockIsLength: false,
  am: 'am|morgens|früh|vormittags',
  pm: 'pm|nachmittags|abends',
  hours: 'stunden?|std\\.?|h',
  minutes: 'minuten?|min\\.?|m',
  halfHour: '(?:eine )?halbe stunde',
  oneHour: 'eine stunde',
  ahead: 'in',
  days: 'tag(?:en?)?',
  weeks: 'wochen?',
  monthsAhead: 'monat(?:en?)?',
  today: 'heute',
  tonight: 'heute abend',
  tomorrow: 'morgen',
  dayAfter: 'übermorgen',
  next: 'nächste[nr]?|kommende[nr]?',
  nextAfter: never,
  nextWeek: 'nächste woche',
  nextMonth: 'nächsten monat',
  noon: 'mittags?',
  midnight: 'mitternachts?',
  monthBeforeDay: false,
  halfTo: {
    before: 'halb',
    names: ['eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn', 'elf', 'zwölf'],
  },
  verbs: '(?:erstelle|plane)(?: einen?)?(?: termin)?|gehe? zum?',
  loose: 'am|um|ab|von|in|für',
};

export const french: TimeWords = {
  months: [
    'janv?(?:ier)?\\.?',
    'f[ée]vr?(?:ier)?\\.?',
    'mars',
    'avr(?:il)?\\.?',
    'mai',
    'juin',
    'juil(?:let)?\\.?',
    'ao[uû]t',
    'sept?(?:embre)?\\.?',
    'oct(?:obre)?\\.?',
    'nov(?:embre)?\\.?',
    'd[ée]c(?:embre)?\\.?',
  ],
  weekdays: [
    'lundi|lun\\.?',
    `mardi|${sure('mar')}`,
    `mercredi|${sure('mer')}`,
    `jeudi|${sure('jeu')}`,
    'vendredi|ven\\.?',
    `samedi|${sure('sam')}`,
    'dimanche|dim\\.?',
  ],
  on: 'le|ce',
  at: 'à|vers',
  from: 'de|dès|à',
  to: "à|jusqu[’']à",
  lasting: 'pendant|durant',
  ordinal: 'er',
  of: '',
  clock: 'h(?:eures?)?',
  clockIsLength: true,
  am: 'am|du matin',
  pm: "pm|du soir|de l[’']après-midi",
  hours: 'heures?|h',
  minutes: 'minutes?|min\\.?|m',
  halfHour: '(?:une )?demi-heure',
  oneHour: 'une heure',
  ahead: 'dans',
  days: 'jours?',
  weeks: 'semaines?',
  monthsAhead: 'mois',
  today: "aujourd[’']hui",
  tonight: 'ce soir',
  tomorrow: 'demain',
  dayAfter: 'après-demain',
  next: never,
  nextAfter: 'prochain',
  nextWeek: '(?:la )?semaine prochaine',
  nextMonth: '(?:le )?mois prochain',
  noon: 'midi',
  midnight: 'minuit',
  monthBeforeDay: false,
  verbs: '(?:créer|planifier)(?: un)?(?: événement)?|aller (?:au|à)',
  loose: 'le|à|de|dans|pendant|durant',
};

export const spanish: TimeWords = {
  months: [
    'ene(?:ro)?\\.?',
    'feb(?:rero)?\\.?',
    'mar(?:zo)?\\.?',
    'abr(?:il)?\\.?',
    'may(?:o)?\\.?',
    'jun(?:io)?\\.?',
    'jul(?:io)?\\.?',
    'ago(?:sto)?\\.?',
    '(?:sept?|set)(?:iembre)?\\.?',
    'oct(?:ubre)?\\.?',
    'nov(?:iembre)?\\.?',
    'dic(?:iembre)?\\.?',
  ],
  weekdays: [
    'lunes|lun\\.?',
    `martes|${sure('mar')}`,
    'mi[ée]rcoles|mi[ée]\\.?',
    'jueves|jue\\.?',
    'viernes|vie\\.?',
    's[áa]bado|s[áa]b\\.?',
    'domingo|dom\\.?',
  ],
  on: 'el|este',
  at: 'a las?|sobre las?',
  from: 'de|desde las?|a las?',
  to: 'a|hasta las?|a las?',
  lasting: 'durante|por',
  ordinal: 'º',
  of: ' de',
  clock: 'h(?:oras)?\\.?',
  clockIsLength: true,
  am: 'am|a\\. ?m\\.|de la mañana',
  pm: 'pm|p\\. ?m\\.|de la (?:tarde|noche)',
  hours: 'horas?|h',
  minutes: 'minutos?|min\\.?|m',
  halfHour: 'media hora',
  oneHour: 'una hora',
  ahead: 'en|dentro de',
  days: 'días?',
  weeks: 'semanas?',
  monthsAhead: 'mes(?:es)?',
  today: 'hoy',
  tonight: 'esta noche',
  tomorrow: '(?<!(?:de|por) la )mañana',
  dayAfter: 'pasado mañana',
  next: '(?:el )?próximo',
  nextAfter: 'próximo|que viene',
  nextWeek: '(?:la )?(?:próxima semana|semana que viene)',
  nextMonth: '(?:el )?(?:próximo mes|mes que viene)',
  noon: '(?:al? )?mediodía',
  midnight: '(?:a )?medianoche',
  monthBeforeDay: false,
  verbs: '(?:crear|programar)(?: un)?(?: evento)?|ir (?:al?)',
  loose: 'el|a|a las?|de|en|durante|por',
};
