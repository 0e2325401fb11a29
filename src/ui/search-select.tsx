import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { Select } from '@mantine/core';
import styles from './text-field.module.css';

export interface SearchSelectProps {
  label: string;
  value: string;
  data: readonly { value: string; label: string }[];
  /** Said where nothing matches. */
  nothingFound: string;
  onChange: (value: string) => void;
  /** Whether an option is what was typed; without it, one that has the words in it. */
  matches?: (label: string, typed: string) => boolean;
}

/** One of many: a list that is typed into. Short lists are `SelectField`. */
export function SearchSelect({ label, value, data, nothingFound, onChange, matches }: SearchSelectProps) {
  return (
    <Select
      label={label}
      value={value}
      data={[...data]}
      searchable
      allowDeselect={false}
      maxDropdownHeight={280}
      limit={100}
      {...(matches && {
        filter: ({ options, search }) => options.filter((option) => 'value' in option && matches(option.label, search)),
      })}
      nothingFoundMessage={nothingFound}
      onChange={(next) => {
        if (next !== null) onChange(next);
      }}
      comboboxProps={{ shadow: 'md', transitionProps: { duration: 120 } }}
      classNames={{ input: styles.input, label: styles.label }}
    />
  );
}
