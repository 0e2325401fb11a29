/** Selects refused input, so that the next key replaces it. */
export function selectAgain(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
