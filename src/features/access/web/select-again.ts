/** What was refused is kept, and the next key types over it. */
export function selectAgain(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
