import access from '#web/locales/en/access.json' with { type: 'json' };
import shell from '#web/locales/en/shell.json' with { type: 'json' };
import ui from '#web/locales/en/ui.json' with { type: 'json' };
import type { EntranceData } from '../../rules/entrance.ts';
import { entranceWords } from '../../rules/entrance-words.ts';
import { Entrance } from './entrance.tsx';
import type { Carried } from './use-entrance.ts';

const areas: Readonly<Record<string, unknown>> = { access, shell, ui };
const words = entranceWords((area) => areas[area]);

export interface SampleEntranceProps extends Partial<Pick<EntranceData, 'methods' | 'signedIn'>> {
  at: string;
}

/** An entrance as the server would draw it at this address: what a component test renders. */
export function SampleEntrance({ at, signedIn = false, methods }: SampleEntranceProps) {
  const { pathname: path, search } = new URL(at, location.href);
  const data: EntranceData = {
    path,
    search,
    words,
    signedIn,
    language: 'en',
    languages: [
      { value: 'en', label: 'English' },
      { value: 'de', label: 'Deutsch' },
    ],
    brand: {},
    methods: methods ?? { google: 'off', microsoft: 'off', apple: 'soon', zoho: 'soon' },
  };
  return <Entrance data={data} />;
}

/** Goes to an address as a browser does, with what came along from the page before. */
export function enterAt(at: string, carried: Carried | null = null): void {
  history.pushState(carried, '', at);
}
