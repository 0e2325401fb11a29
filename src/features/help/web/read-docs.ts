import { type DocSection, searchDocs, sectionsOf } from '../rules/search-docs.ts';

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

export interface Docs {
  sections: DocSection[];
  /** Sections that have every word of what is typed. */
  search: (typed: string) => DocSection[];
}

/** In a language; articles without a translation are in English. */
export async function readDocs(language: string): Promise<Docs> {
  const sections = sectionsOf(...(await Promise.all([readFolder('/help'), readFolder(`/help/${language}`)])));
  return { sections, search: (typed) => searchDocs(sections, typed) };
}
