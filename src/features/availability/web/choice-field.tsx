import { lazy, Suspense } from 'react';
import type { SearchSelectProps } from '#ui/search-select.tsx';
import { SelectField } from '#ui/text-field.tsx';

/** The list that can be typed into is fetched behind the platform's own, which does until then. */
const SearchSelect = lazy(async () => ({ default: (await import('#ui/search-select.tsx')).SearchSelect }));

/** One of many. */
export function ChoiceField(props: SearchSelectProps) {
  const { label, value, data, onChange } = props;
  return (
    <Suspense
      fallback={
        <SelectField
          label={label}
          data={[...data]}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
    >
      <SearchSelect {...props} />
    </Suspense>
  );
}
