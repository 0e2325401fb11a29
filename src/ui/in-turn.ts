/**
 * Serializes optimistic changes of a list: a deletion that overtook a switch would have it refused. The list is fetched
 * again after the last, so that no change shows as undone meanwhile.
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
    // the count includes this mutation
    onSettled: () => (client.isMutating({ mutationKey }) > 1 ? undefined : askAnew()),
  };
}
