import { type DocSection, sectionsOf } from '../rules/search-docs.ts';

/** The documentation comes with the software: searching it takes no call. */
const files = import.meta.glob<string>(['../../../../docs/help/*.md', '../../../../docs/help/*/*.md'], {
  query: '?raw',
  import: 'default',
});

async function readFolder(folder: string): Promise<Record<string, string>> {
  const there = Object.entries(files).filter(([path]) => path.slice(0, path.lastIndexOf('/')).endsWith(folder));
  return Object.fromEntries(
    await Promise.all(there.map(async ([path, load]) => [path.slice(path.lastIndexOf('/') + 1), await load()])),
  );
}

/** In a language; articles without a translation are in English. */
export const readDocs = async (language: string): Promise<DocSection[]> =>
  sectionsOf(...(await Promise.all([readFolder('/help'), readFolder(`/help/${language}`)])));
