/** Countries whose zero is a part of the number, and is dialed from abroad too: Italy, San Marino, and three in Africa. */
const keepsZero = /^(?:\+|00)(?:39|378|225|241|242)/;

/**
 * The link that dials a number. In `+81 (0)90-1234 5678` the zero is dialed only within the country (ITU-T E.123, 7.3),
 * so the link has none.
 */
export function telLink(phone: string): string {
  const number = phone.replaceAll(/[^\d+()]/g, '');
  const isInternational = /^(?:\+|00)/.test(number);
  const dialed = isInternational && !keepsZero.test(number) ? number.replace('(0)', '') : number;
  return `tel:${dialed.replaceAll(/(?!^\+)\D/g, '')}`;
}
