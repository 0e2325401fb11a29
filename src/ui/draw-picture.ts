import type { ChartFigures } from './chart-table.tsx';

/** A panel as a picture: its heading, its drawing, and its figures as text below. */
export interface PictureOf {
  title: string;
  subtitle: string;
  drawings: readonly SVGSVGElement[];
  /** Legend entries: each begins with its mark, and has its text as `data-legend`. */
  legend: readonly HTMLElement[];
  figures: ChartFigures;
}

const margin = 24;
const rowPx = 20;
const scale = 2;
const mostRows = 200;
/** Style properties that a drawing needs; others are left out. */
const drawn = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'font-size',
  'font-weight',
  'font-family',
];

/** Draws in the colours that are on screen. *Errors*: where the browser draws nothing. */
export async function drawPicture({ title, subtitle, drawings, legend, figures }: PictureOf): Promise<Blob> {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(`--hf-${name}`).trim();
  const sizes = drawings.map((one) => ({ width: one.width.baseVal.value, height: one.height.baseVal.value }));
  const lines = [figures.columns, ...figures.rows.slice(0, mostRows)];
  const width = Math.max(560, ...sizes.map((size) => size.width)) + 2 * margin;
  const height =
    2 * margin +
    56 +
    (legend.length === 0 ? 0 : rowPx + 8) +
    sizes.reduce((sum, size) => sum + size.height + 16, 0) +
    lines.length * rowPx;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * scale, height * scale];
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('This browser draws no pictures');
  pen.scale(scale, scale);
  pen.fillStyle = color('card');
  pen.fillRect(0, 0, width, height);
  const write = (
    text: string,
    x: number,
    y: number,
    font: string,
    ink: string,
    align: CanvasTextAlign = 'left',
    most?: number,
  ) => {
    pen.font = `${font} ${style.getPropertyValue('--hf-font') || 'sans-serif'}`;
    pen.fillStyle = color(ink);
    pen.textAlign = align;
    pen.fillText(text, x, y, most);
  };
  write(title, margin, margin + 16, '600 18px', 'text');
  write(subtitle, margin, margin + 38, '400 13px', 'dim');
  let y = margin + 56;
  let x = margin;
  for (const { firstElementChild: mark, dataset } of legend) {
    if (mark instanceof SVGSVGElement) pen.drawImage(await imageOf(mark), x, y + 2);
    else if (mark !== null) {
      pen.fillStyle = getComputedStyle(mark).backgroundColor;
      pen.fillRect(x + 6, y + 2, 8, 8);
    }
    const text = dataset.legend ?? '';
    write(text, x + 24, y + 10, '400 12px', 'text');
    x += 24 + pen.measureText(text).width + 20;
  }
  if (legend.length > 0) y += rowPx + 8;
  const images = await Promise.all(drawings.map(imageOf));
  for (const [n, image] of images.entries()) {
    pen.drawImage(image, margin, y);
    y += (sizes[n]?.height ?? 0) + 16;
  }
  const column = (width - 2 * margin) / Math.max(1, figures.columns.length);
  for (const [n, cells] of lines.entries()) {
    for (const [at, cell] of cells.entries()) {
      const x = at === 0 ? margin : margin + (at + 1) * column;
      const isHead = n === 0;
      write(
        cell,
        x,
        y + 14,
        isHead ? '600 12px' : '400 12px',
        isHead ? 'dim' : 'text',
        at === 0 ? 'left' : 'right',
        column - 10,
      );
    }
    y += rowPx;
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The picture is too large')) : resolve(blob)),
      'image/png',
    );
  });
}

/** A drawing with its styles written into it, since a picture knows no sheet. */
async function imageOf(drawing: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const originals = [...drawing.querySelectorAll<SVGElement>('*')];
  for (const [n, element] of [...copy.querySelectorAll<SVGElement>('*')].entries()) {
    const original = originals[n];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const name of drawn) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute('class');
  }
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}
