/** Of a form that asks for the zone of the browser: it goes along in the field that this script names. */
const { field } = document.currentScript?.dataset ?? {};
const input = document.querySelector<HTMLInputElement>(`input[name="${field}"]`);
if (input !== null) input.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
