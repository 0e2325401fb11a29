interface Choice {
  value: string;
  label: string;
}

const locales = [
  'en-US',
  'en-GB',
  'en-CA',
  'en-AU',
  'en-IN',
  'de-DE',
  'de-AT',
  'de-CH',
  'es-ES',
  'fr-FR',
  'it-IT',
  'ja-JP',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'sv-SE',
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
export function localeChoices(current: string): Choice[] {
  return [...new Set([...locales, current])].map((value) => ({
    value,
    label: new Intl.DisplayNames([value], { type: 'language', languageDisplay: 'standard' }).of(value) ?? value,
  }));
}
