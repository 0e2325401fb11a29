/**
 * For a mutation whose changes of a list are seen at once: they go out one after the other, as a deletion that overtook a
 * switch would have it refused, and the list is asked for anew after the last, so that none is shown undone meanwhile.
 */
export function inTurn(
  client: { isMutating(filters: { mutationKey: string[] }): number },
  list: string,
  askAnew: () => Promise<void>,
) {
  const mutationKey = ['in turn', list];
  return {
    mutationKey,
    scope: { id: list },
    // it counts itself
    onSettled: () => (client.isMutating({ mutationKey }) > 1 ? undefined : askAnew()),
  };
}
