import { useTranslation } from 'react-i18next';
import { languages, nameOfLanguage } from '#kernel/languages.ts';
import { changeLanguage } from '#ui/load-words.ts';
import { PlainSelect } from '#ui/plain-field.tsx';

const choices = languages.map((value) => ({ value, label: nameOfLanguage(value) }));

/** Language choice of a signed-out visitor; a signed-in person has it among the preferences. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <PlainSelect
      aria-label={t('access.language')}
      data={choices}
      value={i18n.language}
      onChange={(event) => changeLanguage(event.currentTarget.value)}
    />
  );
}
