/** Figures of a week, as the browser has laid it out. */
export interface WeekFigures {
  cards: number;
  behindChips: number;
  leastPx: number;
  /** Names of cards, by their fault. */
  clipped: string[];
  narrow: string[];
  halfLines: string[];
  covered: string[];
  wordless: string[];
  red: string[];
}

/** Script for the page; it reads the grid of hours. */
export const measureWeek = `(() => {
  const days = [...document.querySelectorAll('[data-days] [role=group]')];
  const cards = days.flatMap((day) => [...day.querySelectorAll('[data-event]')]).filter((card) => card.clientWidth > 10);
  const chips = [...document.querySelectorAll('[data-days] [data-more]:not([data-rail])')];
  const boxes = new Map([...cards, ...chips].map((card) => [card, card.getBoundingClientRect()]));
  const figures = {
    cards: cards.length,
    behindChips: chips.reduce((sum, chip) => sum + Number(chip.textContent), 0),
    leastPx: Math.min(...cards.map((card) => boxes.get(card).width)),
    clipped: [], narrow: [], halfLines: [], covered: [], wordless: [], red: [],
  };
  for (const [index, card] of cards.entries()) {
    const name = card.getAttribute('aria-label').split(',')[0];
    const box = boxes.get(card);
    if (box.width < 59.9) figures.narrow.push(name);
    if (card.dataset.mark === 'conflict') figures.red.push(name);
    const title = card.querySelector('[dir=auto]');
    if (title === null) {
      figures.wordless.push(name);
      continue;
    }
    const isTall = title.scrollHeight > title.clientHeight + 2;
    if (isTall || title.scrollWidth > title.clientWidth + 1) figures.clipped.push(name);
    const shown = title.getBoundingClientRect();
    const lines = shown.height / Number.parseFloat(getComputedStyle(card).lineHeight);
    if (Math.abs(lines - Math.round(lines)) > 0.1 || shown.bottom > box.bottom + 1.5) figures.halfLines.push(name);
    const range = document.createRange();
    range.selectNodeContents(title);
    const inks = [...range.getClientRects()].filter((ink) => ink.width > 0 && ink.top >= shown.top - 2 && ink.bottom <= shown.bottom + 2);
    const later = [...cards.slice(index + 1), ...chips].map((other) => boxes.get(other));
    const isCovered = inks.some((ink) => {
      const left = Math.max(ink.left, shown.left);
      const right = Math.min(ink.right, shown.right);
      const middle = (ink.top + ink.bottom) / 2;
      return later.some((over) => over.left < right - 1 && left + 1 < over.right && over.top < middle && middle < over.bottom);
    });
    if (isCovered) figures.covered.push(name);
  }
  return figures;
})()`;
