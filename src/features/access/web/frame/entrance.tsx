import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { directionOf } from '#kernel/languages.ts';
import { newId } from '#kernel/new-id.ts';
import { focusPageTitle } from '#ui/page-title.ts';
import { type EntranceData, type EntrancePath, entrances } from '../../rules/entrance.ts';
import { AdminSignInPage } from '../pages/admin-sign-in-page.tsx';
import { ForgotPasswordPage } from '../pages/forgot-password-page.tsx';
import { MfaVerifyPage } from '../pages/mfa-verify-page.tsx';
import { ProviderReturnPage } from '../pages/provider-return-page.tsx';
import { ResetPasswordPage } from '../pages/reset-password-page.tsx';
import { SignInPage } from '../pages/sign-in-page.tsx';
import { SignUpPage } from '../pages/sign-up-page.tsx';
import { VerifyEmailPage } from '../pages/verify-email-page.tsx';
import { type Entrance as Entered, EntranceContext, type Going, readPlace } from './use-entrance.ts';

const pages: Record<EntrancePath | '/', () => ReactNode> = {
  '/': ProviderReturnPage,
  '/login': SignInPage,
  '/admin/login': AdminSignInPage,
  '/signup': SignUpPage,
  '/verify-email': VerifyEmailPage,
  '/password/forgot': ForgotPasswordPage,
  '/password/reset': ResetPasswordPage,
  '/mfa/verify': MfaVerifyPage,
};

const isEntrance = (path: string): path is EntrancePath => path in entrances;
const herePlace = () => readPlace(location.pathname, location.search, history.state);

/** Whatever page people come in at: drawn by the server first, gone on from by script. */
export function Entrance({ data }: { data: EntranceData }) {
  const [spoken, setSpoken] = useState({ words: data.words, language: data.language });
  const [place, setPlace] = useState(() => readPlace(data.path, data.search, null));
  const { brand, languages, methods, signedIn } = data;

  useEffect(() => {
    // Only this browser knows the carried state.
    if (history.state !== null) setPlace(herePlace());
    const follow = () => (isEntrance(location.pathname) ? setPlace(herePlace()) : location.reload());
    addEventListener('popstate', follow);
    // page/first-script.ts has kept what was sent before
    const { dataset } = document.documentElement;
    dataset.live = '';
    if ('waiting' in dataset) document.querySelector('form')?.requestSubmit();
    delete dataset.waiting;
    return () => removeEventListener('popstate', follow);
  }, []);

  const entered = useMemo<Entered>(() => {
    const t: Entered['t'] = (key, values = {}) =>
      (spoken.words[key] ?? key).replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
    return {
      brand,
      languages,
      methods,
      place,
      t,
      language: spoken.language,
      go(to, { carried = {}, replace = false }: Going = {}) {
        history[replace ? 'replaceState' : 'pushState'](withKey(carried), '', to);
        // The server knows where a signed-in person belongs, and the app reloads anyway.
        if (signedIn || !isEntrance(location.pathname)) location.reload();
        else setPlace(herePlace());
      },
      speak: (language) => void fetchWords(language).then(setSpoken, () => {}),
    };
  }, [spoken, place, brand, languages, methods, signedIn]);

  const path = isEntrance(place.path) ? place.path : '/';
  const title = entered.t('shell.documentTitle', { page: entered.t(entrances[path === '/' ? '/login' : path]) });
  useEffect(() => {
    document.title = title;
  }, [title]);
  const [shown, setShown] = useState(path);
  useEffect(() => {
    if (shown !== path) focusPageTitle();
    setShown(path);
  }, [shown, path]);

  const Page = pages[path];
  return (
    <EntranceContext value={entered}>
      <Page key={path} />
    </EntranceContext>
  );
}

/** An entry as the app's router has them: it would write its own over one that has no key. */
const withKey = (carried: object) => ({ ...carried, __TSR_index: 0, __TSR_key: newId() });

/** The same page in another language, of which only the words are taken; the server has the browser remember it. */
async function fetchWords(language: string): Promise<Pick<EntranceData, 'words' | 'language'>> {
  const there = new URL(location.href);
  there.searchParams.set('lang', language);
  const answer = await fetch(there, { headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const data = JSON.parse(page.getElementById('data')?.textContent ?? '') as EntranceData;
  document.documentElement.lang = data.language;
  document.documentElement.dir = directionOf(data.language);
  return data;
}
