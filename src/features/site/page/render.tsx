import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { pages as entrances } from '#features/access/page/pages.tsx';
import { pages as above } from '#features/routing/page/pages.tsx';
import type { LandingData, SayingData, TextPageData } from '../rules.ts';
import { LandingPage } from './landing-page.tsx';
import { SayingPage, TextPage } from './text-page.tsx';

/** The server's side of all public pages; src/platform/page-bundle.ts loads what is built of it. */

/** The pages of the site. Browsers do not hydrate them. */
const still: typeof above = {
  landing: (data) => <LandingPage data={data as LandingData} />,
  text: (data) => <TextPage data={data as TextPageData} />,
  saying: (data) => <SayingPage data={data as SayingData} />,
};

const drawn = new Map<string, string>();
const mostDrawn = 50;

export function render(name: string, data: unknown): string {
  const page = still[name];
  if (page !== undefined) return name === 'saying' ? renderToStaticMarkup(page(data)) : renderStill(page, name, data);
  const live = entrances[name] ?? above[name];
  if (live === undefined) throw new Error(`there is no page ${name}`);
  return renderToString(live(data));
}

/** A week of the grid takes milliseconds, and is the same for everybody of a language. */
function renderStill(page: (data: unknown) => React.ReactNode, name: string, data: unknown): string {
  const key = `${name} ${JSON.stringify(data)}`;
  let html = drawn.get(key);
  if (html === undefined) {
    html = renderToStaticMarkup(page(data));
    if (drawn.size >= mostDrawn) drawn.clear();
    drawn.set(key, html);
  }
  return html;
}

/** The others are complete without script and stay so. */
export const isLive = (name: string): boolean => name === 'booking' || name in entrances;
