/** The fonts of a card; `event-card.module.css` sets the same. */
const fonts = { title: '600 12px', small: '600 11px', time: '400 11px' };
export type CardFont = keyof typeof fonts;

/** A piece of a title that no line break divides. */
export interface TitlePart {
  /** Without the space behind it. */
  px: number;
  advancePx: number;
}

/** Widths of texts on cards; each text is measured once. */
export interface TextWidths {
  of(font: CardFont, text: string): number;
  parts(font: CardFont, title: string): readonly TitlePart[];
}

/** A line may break after these: a space, a hyphen, a character of Chinese or Japanese. */
const breaks = /(?<=[\s-]|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])/u;

/** Without a browser (the landing page on the server, unit tests) a character counts as 0.55 em. */
export function createTextWidths(): TextWidths {
  const family = typeof OffscreenCanvas === 'undefined' ? undefined : getComputedStyle(document.body).fontFamily;
  const measure = Object.fromEntries(
    Object.entries(fonts).map(([name, font]) => [name, measureIn(font, family)]),
  ) as Record<CardFont, (text: string) => number>;
  const widths = new Map<string, number>();
  const titles = new Map<string, TitlePart[]>();
  const of = (font: CardFont, text: string) => kept(widths, font + text, () => measure[font](text));
  return {
    of,
    parts: (font, title) =>
      kept(titles, font + title, () =>
        title.split(breaks).map((part) => ({ px: of(font, part.trimEnd()), advancePx: of(font, part) })),
      ),
  };
}

function measureIn(font: string, family: string | undefined): (text: string) => number {
  const context = family && new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) return (text) => text.length * 0.55 * Number.parseInt(font.slice(4), 10);
  context.font = `${font} ${family}`;
  return (text) => context.measureText(text).width;
}

function kept<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
