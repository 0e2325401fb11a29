import { renderToString } from 'react-dom/server';
import { pages as above } from '#features/booking/page/pages.tsx';
import type { FormData } from '../rules/form-page-data.ts';
import { FormPage } from './form-page.tsx';

/** The server's side of all public pages; src/platform/page-bundle.ts loads what is built of it. */

const pages: typeof above = { ...above, form: (data) => <FormPage data={data as FormData} /> };

export function render(name: string, data: unknown): string {
  const page = pages[name];
  if (page === undefined) throw new Error(`there is no page ${name}`);
  return renderToString(page(data));
}

/** The others are complete without script and stay so. */
export const isLive = (name: string): boolean => name === 'booking';
