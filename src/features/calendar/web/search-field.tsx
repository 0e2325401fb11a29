import { IconSearch } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainField } from '#ui/plain-field.tsx';

export interface SearchFieldProps {
  value: string;
  /** How many events the search leaves; spoken. */
  found: number | undefined;
  onSearch: (text: string) => void;
  onEscape?: () => void;
  field?: RefObject<HTMLInputElement | null>;
}

/** Thins out what is on screen to what has the words. */
export function SearchField({ value, found, onSearch, onEscape, field }: SearchFieldProps) {
  const { t } = useTranslation();
  return (
    <>
      <PlainField
        ref={field}
        type="search"
        aria-label={t('calendar.search')}
        placeholder={t('calendar.search')}
        icon={<IconSearch size={16} stroke={1.8} aria-hidden />}
        value={value}
        onChange={(event) => onSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onEscape?.();
        }}
      />
      <p role="status" className="hf-sr-only">
        {found === undefined ? '' : t('calendar.found', { count: found })}
      </p>
    </>
  );
}
