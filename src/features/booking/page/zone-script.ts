/** Fills the field named by this script with the browser's zone. */
const { field } = document.currentScript?.dataset ?? {};
const input = document.querySelector<HTMLInputElement>(`input[name="${field}"]`);
if (input !== null) input.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
