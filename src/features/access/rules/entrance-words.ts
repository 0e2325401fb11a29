interface Tree {
  readonly [key: string]: string | Tree;
}

/** Texts of the app's catalogue that auth pages need, by area. */
const said: Readonly<Record<string, RegExp>> = {
  access: /^access\.(?!enroll|backup)/,
  shell: /^shell\.(?:product|documentTitle)$/,
  ui: /^ui\.(?:unexpected|unreachable|failed)$/,
};

/** The texts of the auth pages in one language, by whole keys. */
export function entranceWords(areaOf: (area: string) => unknown): Record<string, string> {
  const areas = Object.entries(said).map(([area, wanted]) =>
    flatten(areaOf(area) as Tree, `${area}.`).filter(([key]) => wanted.test(key)),
  );
  return Object.fromEntries(areas.flat());
}

const flatten = (words: Tree, before: string): [string, string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[before + key, value] as [string, string]] : flatten(value, `${before}${key}.`),
  );
