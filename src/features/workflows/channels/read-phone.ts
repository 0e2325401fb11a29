import type { CountryCode } from 'libphonenumber-js/max';

/** Whoever writes to these pays, or lets others earn: no guest has such a number. */
const costly: readonly (string | undefined)[] = ['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'PAGER', 'VOICEMAIL'];

/**
 * A telephone number in E.164 (`+4915112345678`), as networks and consents name it; null for what is none, or costs extra.
 * `country`: where a number without its country code is dialled, as ISO 3166-1; absent: such a number is none.
 */
export async function readPhone(text: string, country?: string): Promise<string | null> {
  if (text.length > 40) return null;
  // two megabytes of number plans: read where there are numbers
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/max');
  const home = country !== undefined && isSupportedCountry(country) ? (country as CountryCode) : undefined;
  const number = parsePhoneNumberFromString(text, { extract: false, ...(home && { defaultCountry: home }) });
  if (number === undefined || !number.isValid() || number.ext !== undefined) return null;
  return costly.includes(number.getType()) ? null : number.number;
}
