interface Speech {
  loadWords(area: string): Promise<void>;
  changeLanguage(language: string): void;
}

let speech: Speech = { loadWords: () => Promise.resolve(), changeLanguage: () => {} };

/** Once, by whoever holds the catalogs. */
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

/** Goes on in another language, here and on the next page, with what is open staying as it is. */
export function changeLanguage(language: string): void {
  speech.changeLanguage(language);
}
