/** The journeys of `npm test`: the ones that most changes can break. `npm run test:slow` has the others. */
const main = [
  'admin-console',
  'admin-people',
  'admin-system',
  'availability',
  'billing',
  'booking-story',
  'edit-events',
  'grid-keyboard-and-drag',
  'impatient-guest',
  'meetings-console',
  'newcomer',
  'offline',
  'second-factor',
  'team-booking',
  'three-providers',
  'workflows',
];

/** `file` is a path that ends with `test/e2e/<name>.e2e.ts`. */
export function isMainJourney(file: string): boolean {
  return main.some((name) => file.endsWith(`test/e2e/${name}.e2e.ts`));
}
