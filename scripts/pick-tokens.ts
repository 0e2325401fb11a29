/**
 * Picks the tokens that a sheet uses, directly or through other tokens, to prepend to it. The app's dark scheme (an
 * attribute) is converted to the device's (a media query). Pages with that attribute keep it as well (`chosen`).
 * Variables that the sheet or elements set (`given`) are left out.
 */
export function pickTokens(
  tokens: string,
  sheet: string,
  given: readonly string[] = [],
  dark: 'device' | 'chosen' = 'device',
): string {
  const rules = readRules(tokens);
  const values = new Map<string, string[]>();
  for (const { declarations } of rules) {
    for (const [name, value] of declarations) values.set(name, [...(values.get(name) ?? []), value]);
  }
  const own = new Set([...given, ...[...sheet.matchAll(/(--[\w-]+)\s*:/g)].map(([, name = '']) => name)]);
  const used = new Set<string>();
  const take = (css: string): void => {
    for (const [, name = ''] of css.matchAll(/var\((--[\w-]+)/g)) {
      if (used.has(name) || (own.has(name) && !values.has(name))) continue;
      used.add(name);
      if (!values.has(name)) throw new Error(`${name} is no token`);
      for (const value of values.get(name) ?? []) take(value);
    }
  };
  take(sheet);
  const written = rules.flatMap(({ isDark, media, declarations }) => {
    const kept = declarations.filter(([name]) => used.has(name) || name === 'color-scheme');
    if (kept.length === 0) return [];
    const isChosen = isDark && dark === 'chosen';
    const rule = `:root${isChosen ? '[data-mantine-color-scheme="dark"]' : ''}{${kept.map(([name, value]) => `${name}:${value}`).join(';')}}`;
    const condition = isDark && !isChosen ? '(prefers-color-scheme: dark)' : media;
    return [condition === null ? rule : `@media ${condition}{${rule}}`];
  });
  return [...written, sheet].join('\n');
}

interface Rule {
  isDark: boolean;
  media: string | null;
  declarations: [string, string][];
}

/** The rules about `:root`, in order; the density that a person of the app chooses is left out. */
function readRules(css: string): Rule[] {
  const rules: Rule[] = [];
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '');
  let media: string | null = null;
  for (const [, opened, selector, body] of plain.matchAll(/@media ([^{]+)\{|(:root[^{]*)\{([^}]*)\}|\}/g)) {
    if (opened !== undefined) media = opened.trim();
    else if (selector === undefined) media = null;
    else if (!selector.includes('data-density')) {
      const isDark = selector.includes('"dark"');
      const declarations = (body ?? '')
        .split(';')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
      rules.push({ isDark, media, declarations });
    }
  }
  return rules;
}
