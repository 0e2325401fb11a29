/**
 * The number of characters that are left, under each text of limited length in a form. Without script the limit is stated
 * there. Screen readers hear it with the field, and while typing only near the limit. Without a network a form says so in place of
 * the error page of the browser, and keeps what was typed.
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

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-offline]')) {
  const note = document.createElement('p');
  note.className = 'banner bad';
  note.role = 'alert';
  form.addEventListener('submit', (event) => {
    note.remove();
    if (navigator.onLine) return;
    event.preventDefault();
    form.querySelector('[type="submit"]')?.parentElement?.before(note);
    note.textContent = form.dataset.offline ?? '';
  });
}

/** A booking whose link or answer is still to come: the page takes it over when it is there. */
async function showNews(waitMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  const shown = document.querySelector('main[data-awaits]');
  if (shown === null) return;
  const isTyping = shown.querySelector(':is(input, textarea):focus') !== null;
  const answer = document.hidden || isTyping || !navigator.onLine ? null : await fetch(location.href).catch(() => null);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
  const now = page?.querySelector('main');
  if (page && now && !now.isEqualNode(shown)) {
    document.title = page.title;
    shown.replaceChildren(...now.childNodes);
    if (!now.hasAttribute('data-awaits')) return shown.removeAttribute('data-awaits');
  }
  return showNews(Math.min(waitMs * 1.3, 20_000));
}
if (document.querySelector('main[data-awaits]') !== null) void showNews(1_500);
