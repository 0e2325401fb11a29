/** `Anna, Ben and Carla`, in somebody's language. */
export function joinNames(people: readonly { name: string }[], language: string | null = null): string {
  return new Intl.ListFormat(language ?? 'en', { type: 'conjunction' }).format(people.map(({ name }) => name));
}
