interface Speech {
  loadWords(area: string): Promise<void>;
  changeLanguage(language: string): void;
}

let speech: Speech = { loadWords: () => Promise.resolve(), changeLanguage: () => {} };

/** Registers the catalogs' loader, once. */
export function provideWords(provided: Speech): void {
  speech = provided;
}

/**
 * A part of a screen that comes later brings its words with it:
 * `lazy(async () => { const [part] = await Promise.all([import('./part.tsx'), loadWords('area')]); … })`.
 */
export function loadWords(area: string): Promise<void> {
  return speech.loadWords(area);
}

/** Switches the language, here and on the next page; open screens keep their state. */
export function changeLanguage(language: string): void {
  speech.changeLanguage(language);
}
