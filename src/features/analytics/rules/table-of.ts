type Cell = string | number;

/**
 * The figures of a panel as a table: a line for each value, with where it stands. Lists of points keep their own
 * columns apart by the names of what they hold. Unknown values are empty cells.
 */
export function tableOf(data: unknown): Cell[][] {
  return [['Figure', 'Value'], ...linesOf(data, [])];
}

function linesOf(value: unknown, path: readonly string[]): Cell[][] {
  if (Array.isArray(value))
    return value.flatMap((one: unknown, n) => linesOf(one, [...path, nameOf(one) ?? String(n)]));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, one]) => linesOf(one, [...path, name]));
  const isShown = typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';
  return [[path.join(' / '), isShown ? (typeof value === 'boolean' ? String(value) : value) : '']];
}

/** The name of a list item: its date, hour, source, domain, stage, or calendar. */
function nameOf(one: unknown): string | null {
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return null;
  for (const name of ['x', 'date', 'hour', 'source', 'domain', 'stage', 'calendar_id']) {
    const value = (one as Record<string, unknown>)[name];
    if (typeof value === 'string' || typeof value === 'number') return String(value);
  }
  return null;
}
