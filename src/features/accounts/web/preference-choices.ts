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

/** UTC and every zone of this machine; the current one too, should it have another name here. */
export function zoneChoices(current: string): Choice[] {
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), current]);
  return [...names].map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}

/** Languages in their own words, e.g. "Deutsch (Österreich)". */
export function localeChoices(current: string): Choice[] {
  return [...new Set([...locales, current])].map((value) => ({
    value,
    label: new Intl.DisplayNames([value], { type: 'language', languageDisplay: 'standard' }).of(value) ?? value,
  }));
}
