/** Markup that is safe to put into a page; made by `html`, or by hand for what no value reaches. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A template whose texts are escaped, in elements and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const shown = values.map((value) => {
    if (value instanceof Html) return value.markup;
    if (typeof value === 'string') return value.toWellFormed().replace(/[&<>"']/g, (sign) => signs[sign] ?? sign);
    return value.map((one) => one.markup).join('');
  });
  return new Html(String.raw({ raw: strings }, ...shown));
}
