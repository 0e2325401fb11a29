/**
 * All that the browser does on the pages of the site: the bar, the film, and counting two clicks where the operator has
 * a tool for that. Everything else works without.
 */

const bar = document.querySelector<HTMLElement>('[data-bar]');
if (bar !== null) {
  const look = () => bar.toggleAttribute('data-clear', scrollY <= 50);
  addEventListener('scroll', look, { passive: true });
  look();
}

const menu = document.querySelector<HTMLDetailsElement>('[data-menu]');
menu?.addEventListener('click', (event) => {
  if (event.target instanceof HTMLAnchorElement) menu.open = false;
});
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || menu?.open !== true) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
});

const dialog = document.querySelector<HTMLDialogElement>('#tour');
const video = dialog?.querySelector('video');
const still = matchMedia('(prefers-reduced-motion: reduce)');
if (dialog && video) {
  document.querySelector('[commandfor="tour"][command="show-modal"]')?.addEventListener('click', (event) => {
    // fallback for browsers without invoker commands
    event.preventDefault();
    count('how_it_works_modal_opened');
    dialog.showModal();
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    video.poster = `/tour/poster-${dark ? 'dark' : 'light'}.webp`;
    if (!still.matches) void video.play().catch(() => {});
  });
  dialog.querySelector('[command="close"]')?.addEventListener('click', (event) => {
    event.preventDefault();
    dialog.close();
  });
  // a click outside the content is a click on the backdrop
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => video.pause());
  dialog.querySelector('[data-tour-begin]')?.addEventListener('click', () => count('how_it_works_cta_clicked'));
}

interface Analytics {
  plausible?: (name: string) => void;
  gtag?: (kind: 'event', name: string) => void;
  posthog?: { capture: (name: string) => void };
  umami?: { track: (name: string) => void };
  dataLayer?: { push: (entry: object) => void };
}

/** Told to whichever tool the operator's script has brought; without one, to nobody. */
function count(name: string): void {
  const { plausible, gtag, posthog, umami, dataLayer } = window as unknown as Analytics;
  if (plausible) plausible(name);
  else if (posthog) posthog.capture(name);
  else if (umami) umami.track(name);
  else if (gtag) gtag('event', name);
  else dataLayer?.push({ event: name });
}
