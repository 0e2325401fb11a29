import { join } from 'node:path';
import { pageWords, readVisitor } from '#features/booking/public.ts';
import { fillWords } from '#features/booking/rules/fill-words.ts';
import { callIt } from '#kernel/product-name.ts';
import type { App } from '#platform/app.ts';
import { type BrandPicture, logoUrl } from '#platform/brand.ts';
import { joinSentences } from '#platform/mail-words.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import type { SayingData, SiteFrameData } from './rules.ts';

const sayings = pageWords(join(import.meta.dirname, 'page/words'));

/** Texts about the software, which keep its name on a branded install. */
const aboutTheSoftware = ['footer.source', 'pricing.free-text'];

const tell = (picture: BrandPicture) => ({ src: logoUrl(picture), width: picture.width, height: picture.height });

interface SiteVisitor {
  language: string;
  locale: string;
  hour12: boolean;
  /** The name of the install. */
  product: string;
  say: (key: string, values?: Readonly<Record<string, string | number>>) => string;
  frame: SiteFrameData;
}

/** The visitor of a page, and the props of its frame. */
export function getSiteVisitor({ config, brand }: Pick<App, 'config' | 'brand'>, call: PageCall): SiteVisitor {
  const { language, reading } = readVisitor(call, { zone: 'UTC' });
  const { name: product, logo, darkLogo } = brand.current();
  const said: Record<string, string> = sayings(language);
  const words = {
    ...callIt(said, product),
    ...Object.fromEntries(aboutTheSoftware.map((key) => [key, said[key] ?? key])),
  };
  const look = { product, logo: logo && tell(logo), darkLogo: darkLogo && tell(darkLogo) };
  const { name = null, contact = null, blog = null } = config.operator;
  return {
    language,
    product,
    locale: reading.locale,
    hour12: reading.hour12,
    say: (key, values) => fillWords(words, key, values),
    frame: { words, ways: call.tongues.ways, language, ...look, operator: name, contact, blog },
  };
}

/** Keys in `page/words/en.json`. Each has a title and a text. */
type Saying =
  | `subscribe.${'asked' | 'wrong' | 'limited' | 'working' | 'busy' | 'confirm' | 'done' | 'gone' | 'host' | 'host-done'}`
  | `unsubscribe.${'ask' | 'done' | 'gone'}`
  | `stop.${'ask' | 'done'}`
  | `stop-all.${'ask' | 'done' | 'resumed'}`;

interface SayingOptions {
  status?: number;
  email?: string;
  host?: string;
  /** A sentence after the text. */
  also?: { key: 'stop-all.spellings'; values: { mailbox: string } };
  /** Where its button leads, and what stands on it. */
  action?: {
    to: string;
    label:
      | `subscribe.${'button' | 'confirm-button' | 'host-button'}`
      | 'unsubscribe.button'
      | 'stop.button'
      | `stop-all.${'button' | 'again'}`;
    fields?: Readonly<Record<string, string>>;
  };
  /** Solved by the browser before it sends the form of `action`. */
  challenge?: string | undefined;
}

/** A page with one text and perhaps a button. */
export function showSaying(app: App, call: PageCall, what: Saying, options: SayingOptions = {}): PageAnswer {
  const { language, locale, product, say, frame } = getSiteVisitor(app, call);
  const { status = 200, email = '', host = '', also, action, challenge } = options;
  const title = say(what, { host });
  const data: SayingData = {
    ...frame,
    isPlain: /^(?:unsubscribe|stop|stop-all)\./.test(what),
    title,
    text: joinSentences([say(`${what}-text`, { email, host }), ...(also ? [say(also.key, also.values)] : [])], locale),
    action: action === undefined ? null : { to: action.to, label: say(action.label), fields: action.fields ?? {} },
  };
  const site = { address: `${app.config.publicUrl}/home` };
  return {
    kind: 'page',
    status,
    page: {
      name: 'saying',
      data,
      title: `${title} · ${product}`,
      language,
      frames: null,
      unlisted: true,
      challenge,
      site,
    },
  };
}
