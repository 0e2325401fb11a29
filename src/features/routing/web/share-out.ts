/** Rounded to `step`, so that they still add up to the sum: what was cut off most gets what is left over. */
export function roundToSum(values: readonly number[], step: number): number[] {
  const units = values.map((value) => value / step);
  const floors = units.map((unit) => Math.floor(unit + 1e-9));
  const sum = units.reduce((before, unit) => before + unit, 0);
  let left = Math.round(sum) - floors.reduce((before, floor) => before + floor, 0);
  const order = units
    .map((unit, at) => ({ at, cut: unit - (floors[at] ?? 0) }))
    .sort((one, other) => other.cut - one.cut || one.at - other.at);
  const given = new Set<number>();
  for (const { at } of order) {
    if (left <= 0) break;
    given.add(at);
    left -= 1;
  }
  return floors.map((floor, at) => Math.round((floor + (given.has(at) ? 1 : 0)) * step * 1_000) / 1_000);
}
