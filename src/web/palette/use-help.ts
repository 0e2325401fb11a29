import { IconHelpCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { loadDocs } from '#features/help/web/screens.ts';
import { foldText } from '#kernel/text/fold-text.ts';
import type { Entry } from './entries.ts';

/** Fewer letters fit most of the documentation. */
const fewest = 3;
const fewestUnspaced = 2;
const most = 3;

/** Sections of the documentation that have all words that are typed, read when something is typed. */
export function useHelp(typed: string): Entry[] {
  const { i18n } = useTranslation();
  const { language } = i18n;
  const isAsked = foldText(typed).trim().length >= (language.startsWith('ja') ? fewestUnspaced : fewest);
  const { data } = useQuery({
    queryKey: ['help', 'docs', language],
    queryFn: () => loadDocs(language),
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isAsked || data === undefined) return [];
  return data
    .search(typed)
    .slice(0, most)
    .map(({ to, heading, page }) => ({
      id: `doc-${to}`,
      group: 'help',
      title: heading,
      ...(heading === page ? {} : { detail: page }),
      mark: IconHelpCircle,
      run: () => void window.open(to, '_blank', 'noreferrer'),
    }));
}
