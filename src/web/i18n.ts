import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

/** One lazy file per locale; English is complete, others join by adding their file. */
const catalogs = import.meta.glob<{ default: Record<string, unknown> }>('./locales/*.json');

/** The catalog for a locale such as `en-US`: its own, its language's, or English. */
function catalogFor(locale: string): string {
  const language = locale.split('-')[0] ?? 'en';
  return [locale, language].find((name) => `./locales/${name}.json` in catalogs) ?? 'en';
}

/** Loads the catalog and makes it current; resolves when texts can be shown. */
export async function startTranslations(locale: string): Promise<void> {
  const name = catalogFor(locale);
  const load = catalogs[`./locales/${name}.json`];
  if (!load) throw new Error(`No catalog for ${name}`);
  const { default: translation } = await load();
  await i18next.use(initReactI18next).init({
    lng: name,
    resources: { [name]: { translation } },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = name;
}
