import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { readSiteVisitor } from './read-site-visitor.ts';
import type { SayingData } from './rules/site-data.ts';

/** Of `page/words/en.json`: each has a title and a text. */
export type Saying =
  | `subscribe.${'asked' | 'wrong' | 'limited' | 'working' | 'busy' | 'confirm' | 'done' | 'gone'}`
  | `unsubscribe.${'ask' | 'done'}`
  | `stop.${'ask' | 'done'}`
  | `stop-all.${'ask' | 'done' | 'resumed'}`;

interface SayingOptions {
  status?: number;
  email?: string;
  host?: string;
  /** Where its button leads, and what stands on it. */
  action?: {
    to: string;
    label: 'subscribe.button' | 'subscribe.confirm-button' | 'unsubscribe.button' | 'stop.button' | 'stop-all.again';
    fields?: Readonly<Record<string, string>>;
  };
  /** Solved by the browser before it sends the form of `action`. */
  challenge?: string | undefined;
}

export function showSaying(app: App, call: PageCall, what: Saying, options: SayingOptions = {}): PageAnswer {
  const { language, product, say, frame } = readSiteVisitor(app, call);
  const { status = 200, email = '', host = '', action, challenge } = options;
  const title = say(what, { host });
  const data: SayingData = {
    ...frame,
    title,
    text: say(`${what}-text`, { email, host }),
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
