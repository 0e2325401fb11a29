import type { FrameDate, FrameMessage } from './tell-height.ts';

/**
 * For the pages of other sites: `<holdfast-booking link="sam/intro">` is the booking page in its place; with
 * `mode="popup"` what is inside it opens the page over theirs, with `mode="float"` a button in the corner does. Attributes
 * `prefill-…` fill in fields; the event `booked` tells of a booking. Nothing is loaded before somebody comes near.
 */
const { origin } = new URL((document.currentScript as HTMLScriptElement).src);

/** Default texts, in the language of the embedding page. */
const said: Record<string, [string, string]> = {
  de: ['Termin buchen', 'Schließen'],
  fr: ['Réserver un créneau', 'Fermer'],
  es: ['Reservar una reunión', 'Cerrar'],
  ja: ['日時を予約', '閉じる'],
};
const [book, shut] = said[(document.documentElement.lang || navigator.language).slice(0, 2)] ?? [
  'Book a time',
  'Close',
];

const styles = `:host{display:block}:host([mode=popup]){display:inline-block}
iframe{display:block;width:100%;border:0;height:640px;color-scheme:normal;background:none}
dialog{width:min(1040px,100vw - 16px);max-width:none;max-height:calc(100dvh - 16px);padding:0;border:0;border-radius:16px;overflow:auto}
dialog::backdrop{background:#101013a6}
button{font:600 15px/1 system-ui,sans-serif;min-height:44px;padding:0 20px;border:0;border-radius:22px;background:var(--holdfast-color,#5e53dd);color:#fff;cursor:pointer}
.float{position:fixed;z-index:2147483000;bottom:20px;right:20px;box-shadow:0 4px 16px #10101340}
.close{position:absolute;top:4px;right:4px;width:44px;padding:0;background:none;color:#62626e;font-size:20px}`;

class HoldfastBooking extends HTMLElement {
  #frame: HTMLIFrameElement | undefined;

  /** Follows changes of the address without a page load: another frame replaces the old one. */
  readonly #watch = new MutationObserver(() => {
    if (this.#frame !== undefined && this.#address() !== this.#frame.dataset.address)
      this.#frame.replaceWith(this.#load());
  });

  constructor() {
    super();
    // which attributes there are depends on the questions of the host
    this.#watch.observe(this, { attributes: true });
  }

  connectedCallback(): void {
    addEventListener('message', this.#hear);
    if (this.shadowRoot !== null) return;
    const root = this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    root.adoptedStyleSheets = [sheet];
    const mode = this.getAttribute('mode');
    if (mode === 'popup' || mode === 'float') this.#addPopup(root, mode);
    else {
      const watch = new IntersectionObserver(
        ([seen]) => {
          if (!seen?.isIntersecting) return;
          watch.disconnect();
          root.append(this.#load());
        },
        { rootMargin: '400px' },
      );
      watch.observe(this);
    }
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#hear);
  }

  #addPopup(root: ShadowRoot, mode: string): void {
    const dialog = document.createElement('dialog');
    const close = makeButton('×', 'close');
    close.ariaLabel = this.getAttribute('close-label') ?? shut;
    close.onclick = () => dialog.close();
    dialog.append(close);
    dialog.onclick = (event) => {
      if (event.target === dialog) dialog.close();
    };
    const opener =
      mode === 'float' ? makeButton(this.getAttribute('label') ?? 'Book a time', mode) : document.createElement('slot');
    const load = () => {
      if (this.#frame === undefined) dialog.append(this.#load());
    };
    // a pointer over the opener precedes a press
    opener.onpointerenter = load;
    opener.onclick = (event) => {
      event.preventDefault();
      load();
      dialog.showModal();
    };
    root.append(opener, dialog);
  }

  /** Empty where the link leads to another site, which is not ours to show. */
  #address(): string {
    const address = new URL(this.getAttribute('link') ?? '', `${origin}/`);
    if (address.origin !== origin) return '';
    const query = address.searchParams;
    query.set('embed', location.origin);
    for (const { name, value } of this.attributes) if (name.startsWith('prefill-')) query.set(name.slice(8), value);
    return address.href;
  }

  #load(): HTMLIFrameElement {
    const frame = document.createElement('iframe');
    const address = this.#address();
    frame.dataset.address = address;
    if (address !== '') frame.src = address;
    frame.title = this.getAttribute('label') ?? book;
    this.#frame = frame;
    return frame;
  }

  #hear = (event: MessageEvent<({ holdfast?: 1 } & FrameMessage) | null>): void => {
    const { data } = event;
    if (event.origin !== origin || event.source !== this.#frame?.contentWindow || data?.holdfast !== 1) return;
    if (data.kind === 'height') this.#frame.style.height = `${Math.min(Number(data.height) || 0, 10_000)}px`;
    else if (data.kind === 'booked') {
      const detail = { ...inMs(data), dates: data.dates.map(inMs) };
      this.dispatchEvent(new CustomEvent('booked', { bubbles: true, composed: true, detail }));
    }
  };
}

const inMs = ({ uid, start, end }: FrameDate) => ({ uid, startMs: start * 60_000, endMs: end * 60_000 });

function makeButton(text: string, name: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.className = name;
  return button;
}

if (customElements.get('holdfast-booking') === undefined) customElements.define('holdfast-booking', HoldfastBooking);
