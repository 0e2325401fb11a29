/** What can be read of a week, as the browser has laid it out. */
export interface WeekFigures {
  cards: number;
  behindChips: number;
  clipped: string[];
  narrow: string[];
  leastPx: number;
  medianPx: number;
  halfLines: string[];
  covered: string[];
  red: string[];
  overlaps: number;
  /** No words at all. */
  wordless: string[];
}

/** Runs in the page. */
export function measureWeek(): WeekFigures {
  const days = [...document.querySelectorAll('[data-days] [role="group"]')];
  const cards = days
    .flatMap((day) => [...day.querySelectorAll<HTMLElement>('[data-event]')])
    .filter((card) => card.clientWidth > 10);
  const chips = [...document.querySelectorAll<HTMLElement>('[data-days] [data-more]:not([data-rail])')];
  const nameOf = (card: Element) => card.getAttribute('aria-label')?.split(',')[0] ?? '';
  const figures: WeekFigures = {
    cards: cards.length,
    behindChips: chips.reduce((sum, chip) => sum + Number(chip.textContent), 0),
    clipped: [],
    narrow: [],
    leastPx: 0,
    medianPx: 0,
    halfLines: [],
    covered: [],
    red: [],
    overlaps: 0,
    wordless: [],
  };
  const widths: number[] = [];
  for (const card of cards) {
    const box = card.getBoundingClientRect();
    widths.push(box.width);
    if (box.width < 59.4) figures.narrow.push(`${nameOf(card)} ${box.width.toFixed(1)}`);
    if (card.dataset.mark === 'conflict') figures.red.push(nameOf(card));
    if (card.dataset.mark === 'overlap') figures.overlaps += 1;
    const title = card.querySelector<HTMLElement>('[dir="auto"]');
    if (title === null) {
      figures.wordless.push(nameOf(card));
      continue;
    }
    if (title.scrollWidth > title.clientWidth + 1 || title.scrollHeight > title.clientHeight + 2)
      figures.clipped.push(nameOf(card));
    const linePx = Number.parseFloat(getComputedStyle(card).lineHeight);
    const titleBox = title.getBoundingClientRect();
    const lines = titleBox.height / linePx;
    if (Math.abs(lines - Math.round(lines)) > 0.1 || titleBox.bottom > box.bottom + 1.5)
      figures.halfLines.push(nameOf(card));
    const range = document.createRange();
    range.selectNodeContents(title);
    const inks = [...range.getClientRects()].filter(
      (ink) => ink.width > 0 && ink.bottom <= titleBox.bottom + 2 && ink.top >= titleBox.top - 2,
    );
    const later = [...cards, ...chips].filter(
      (other) => other !== card && (card.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    );
    const isCovered = inks.some((ink) => {
      const [left, right] = [Math.max(ink.left, titleBox.left), Math.min(ink.right, titleBox.right)];
      const middle = (ink.top + ink.bottom) / 2;
      return later.some((other) => {
        const over = other.getBoundingClientRect();
        return over.left < right - 1 && left + 1 < over.right && over.top < middle && middle < over.bottom;
      });
    });
    if (isCovered) figures.covered.push(nameOf(card));
  }
  widths.sort((a, b) => a - b);
  figures.leastPx = widths[0] ?? 0;
  figures.medianPx = widths[Math.floor(widths.length / 2)] ?? 0;
  return figures;
}
