import { invalid, missing } from './errors.ts';

/** `items[0][price]=p` as `{ items: { 0: { price: 'p' } } }`. Source: "Request bodies", form-encoded. */
export interface Form {
  [name: string]: string | Form;
}

export function readForm(text: string): Form {
  const form: Form = Object.create(null) as Form;
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.replaceAll(']', '').split('[');
    let place = form;
    let key = first;
    for (const part of rest) {
      const inner = place[key];
      const next: Form = typeof inner === 'object' ? inner : (Object.create(null) as Form);
      place[key] = next;
      place = next;
      // `expand[]=a&expand[]=b`
      key = part === '' ? String(Object.keys(next).length) : part;
    }
    place[key] = value;
  }
  return form;
}

export const textOf = (form: Form, name: string): string | null => {
  const value = form[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

export function demand(form: Form, name: string): string {
  const value = textOf(form, name);
  if (value === null) throw missing(name);
  return value;
}

export function intOf(form: Form, name: string): number | null {
  const text = textOf(form, name);
  if (text === null) return null;
  if (!/^-?\d{1,15}$/.test(text)) throw invalid(`Invalid integer: ${text}`, name, 'parameter_invalid_integer');
  return Number(text);
}

export function boolOf(form: Form, name: string): boolean | null {
  const text = textOf(form, name);
  if (text === null) return null;
  if (text !== 'true' && text !== 'false') throw invalid(`Invalid boolean: ${text}`, name);
  return text === 'true';
}

export const partOf = (form: Form, name: string): Form => {
  const value = form[name];
  return typeof value === 'object' ? value : {};
};

export const itemsOf = (form: Form, name: string): Form[] =>
  Object.values(partOf(form, name)).filter((one) => typeof one === 'object');

export const textsOf = (form: Form, name: string): string[] =>
  Object.values(partOf(form, name)).filter((one) => typeof one === 'string');

/** Empty values take a key away. Source: "Metadata". */
export function metadataOf(form: Form, before: Record<string, string> = {}): Record<string, string> {
  const metadata = { ...before };
  for (const [key, value] of Object.entries(partOf(form, 'metadata'))) {
    if (typeof value !== 'string') throw invalid('Metadata values must be strings.', 'metadata');
    if (value === '') delete metadata[key];
    else metadata[key] = value;
  }
  if (Object.keys(metadata).length > 50) throw invalid('You can only have 50 keys.', 'metadata');
  return metadata;
}
