/** How often somebody got a booking of a round robin beside how often they would have by their weight. */
export interface Fairness<Id extends string> {
  userId: Id;
  /** A host at the moment: of who is none any more nothing is expected. */
  here: boolean;
  weight: number;
  expected: number;
  got: number;
  deficit: number;
}

/** `expected` sums to what was given in all, so that `deficit` sums to nothing. */
export function judgeFairness<Id extends string>(
  hosts: readonly { userId: Id; weight: number }[],
  given: ReadonlyMap<Id, number>,
): { total: number; hosts: Fairness<Id>[] } {
  const total = [...given.values()].reduce((sum, n) => sum + n, 0);
  const weights = hosts.reduce((sum, { weight }) => sum + weight, 0);
  const here = hosts.map(({ userId, weight }) => {
    const got = given.get(userId) ?? 0;
    const expected = (total * weight) / weights;
    return { userId, here: true, weight, expected, got, deficit: expected - got };
  });
  const gone = [...given].flatMap(([userId, got]) =>
    hosts.some((host) => host.userId === userId)
      ? []
      : { userId, here: false, weight: 0, expected: 0, got, deficit: -got },
  );
  return { total, hosts: [...here, ...gone] };
}
