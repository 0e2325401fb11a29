import { cleanText, escapeText, foldLine } from '#kernel/ical/ical-text.ts';

export const vcardVersions = ['4.0', '3.0'] as const;

/** What of a contact leaves in a file. */
export interface ExportedContact {
  id: string;
  addresses: readonly string[];
  name: string | null;
  phone: string | null;
  company: string | null;
  tags: readonly string[];
  notes: readonly string[];
}

/** One card, as RFC 6350 or RFC 2426 has it. */
export function writeVcard(one: ExportedContact, version: (typeof vcardVersions)[number]): string {
  const text = (value: string) => escapeText(cleanText(value, 20_000));
  const name = one.name ?? one.addresses[0] ?? '';
  const words = name.split(' ');
  const family = words.length > 1 ? (words.at(-1) ?? '') : '';
  const given = words.length > 1 ? words.slice(0, -1).join(' ') : name;
  return [
    'BEGIN:VCARD',
    `VERSION:${version}`,
    `UID:${version === '4.0' ? 'urn:uuid:' : ''}${one.id}`,
    `FN:${text(name)}`,
    `N:${text(family)};${text(given)};;;`,
    ...one.addresses.map((address, n) =>
      version === '4.0'
        ? `EMAIL${n === 0 ? ';PREF=1' : ''}:${text(address)}`
        : `EMAIL;TYPE=INTERNET${n === 0 ? ',PREF' : ''}:${text(address)}`,
    ),
    ...(one.phone === null ? [] : [`TEL${version === '4.0' ? ';VALUE=text' : ''}:${text(one.phone)}`]),
    ...(one.company === null ? [] : [`ORG:${text(one.company)}`]),
    ...(one.tags.length === 0 ? [] : [`CATEGORIES:${one.tags.map(text).join(',')}`]),
    ...(one.notes.length === 0 ? [] : [`NOTE:${text(one.notes.join('\n\n'))}`]),
    'END:VCARD',
  ]
    .map(foldLine)
    .join('');
}
