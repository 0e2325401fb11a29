import { nameOfLanguage } from '#kernel/languages.ts';

interface Choice {
  value: string;
  label: string;
}

/** Locales of the translated languages. Another language would change the dates alone. */
const locales = [
  'en-US',
  'en-GB',
  'en-CA',
  'en-AU',
  'en-IN',
  'de-DE',
  'de-AT',
  'de-CH',
  'fr-FR',
  'fr-CA',
  'fr-CH',
  'es-ES',
  'es-MX',
  'ja-JP',
];

const nearZones = ['UTC', 'Asia/Kolkata', 'America/New_York', 'Europe/London'];

/** A few first, then every zone of this machine; the current one too, should it have another name here. */
export function zoneChoices(current: string): Choice[] {
  // browsers list some under an older name: Asia/Calcutta
  const asListed = (zone: string) => new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  const listed = new Set(nearZones.map(asListed));
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => !listed.has(zone));
  const names = new Set([...nearZones, current, ...others.toSorted()]);
  return [...names].map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}

/** Languages in their own words, e.g. "Deutsch (Österreich)". */
export const localeChoices = (current: string): Choice[] =>
  [...new Set([...locales, current])].map((value) => ({ value, label: nameOfLanguage(value) }));
