let load: (area: string) => Promise<void> = () => Promise.resolve();

/** Once, by whoever holds the catalogs. */
export function provideWords(loader: (area: string) => Promise<void>): void {
  load = loader;
}

/**
 * A part of a screen that comes later brings its words with it:
 * `lazy(async () => { const [part] = await Promise.all([import('./part.tsx'), loadWords('area')]); … })`.
 */
export function loadWords(area: string): Promise<void> {
  return load(area);
}
