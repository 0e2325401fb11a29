/** Text that is already HTML. Everything else that `html` is given is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | boolean | null | undefined | Markup | readonly Piece[];

/** A template whose values are escaped, in elements and in quoted attributes; lists are joined, false and null are nothing. */
export function html(strings: TemplateStringsArray, ...values: Piece[]): Markup {
  return new Markup(strings.reduce((text, part, i) => text + print(values[i - 1]) + part));
}

function print(value: Piece): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return typeof value === 'object' && value !== null ? value.map(print).join('') : '';
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** For an element's text or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
