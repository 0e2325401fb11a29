/**
 * The number of characters that are left, under each text of limited length in a form. Without script the limit is stated
 * there. Screen readers hear it with the field, and while typing only near the limit.
 */
const { lang } = document.documentElement;
const plural = new Intl.PluralRules(lang);
const number = new Intl.NumberFormat(lang);

for (const note of document.querySelectorAll<HTMLElement>('[data-left]')) {
  const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[aria-describedby~="${note.id}"]`);
  const sentences = JSON.parse(note.dataset.left ?? '{}') as Record<string, string>;
  if (field === null) continue;
  const count = () => {
    const left = Math.max(0, field.maxLength - field.value.length);
    const isNear = left <= Math.max(20, field.maxLength / 10);
    note.ariaLive = isNear ? 'polite' : 'off';
    note.hidden = note.dataset.near !== undefined && !isNear;
    note.textContent = (sentences[plural.select(left)] ?? sentences.other ?? '').replace('{n}', number.format(left));
  };
  field.addEventListener('input', count);
  // a browser put it back after a reload, or the server after a refusal
  if (field.value !== '') count();
}
