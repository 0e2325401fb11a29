import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSignedIn } from '#features/accounts/sessions/public.ts';
import { findUser } from '#features/accounts/users/public.ts';
import { chooseTongue, languageCookie, languages, pseudoLocale, readAccepted } from '#kernel/languages.ts';
import { ownPath } from '#kernel/own-path.ts';
import { callIt } from '#kernel/product-name.ts';
import { pseudoWords } from '#kernel/pseudo-words.ts';
import type { App } from '#platform/app.ts';
import { type BrandPicture, logoUrl } from '#platform/brand.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { doorOf, type EntranceData, type EntrancePath, entrances, homeOf } from '../rules/entrance.ts';
import { entranceWords } from '../rules/entrance-words.ts';
import { listSignInMethods } from './methods.ts';

/** For who is signed in there is nothing to do at these; what links of mails lead to is for them too. */
const forStrangers: readonly string[] = ['/login', '/admin/login', '/signup', '/mfa/verify'];
/** Pages that search engines may list. */
const findable: readonly string[] = ['/login', '/signup'];

/** A page at which people come in; `/` is where a browser comes back from a provider. */
export function showAuthPage(path: EntrancePath | '/') {
  return async (app: App, call: PageCall): Promise<PageAnswer> => {
    const role = await roleOf(app, call);
    const door = doorOf(path);
    // At the administrators' door an ordinary person who is signed in may still come in as an administrator.
    if (role !== null && forStrangers.includes(path) && (door === 'user' || role === 'admin')) {
      return { kind: 'go', to: ownPath(call.query.get('from')) ?? homeOf[door] };
    }
    const { language } = chooseTongue([
      call.query.get('lang'),
      call.cookies[languageCookie],
      ...readAccepted(call.languages),
    ]);
    const { name: product, logo, darkLogo } = app.brand.current();
    const words = wordsIn(language);
    const say = (key: string) => callIt(words[key] ?? key, product);
    const data: EntranceData = {
      path,
      search: `?${call.query.toString()}`,
      words,
      language,
      languages: call.tongues.ways.map(({ language: value, name: label }) => ({ value, label })),
      brand: {
        ...(logo === null ? {} : { logo: tell(logo) }),
        ...(darkLogo === null ? {} : { darkLogo: tell(darkLogo) }),
      },
      methods: listSignInMethods(app.config),
      signedIn: role !== null,
    };
    const title = say(entrances[path === '/' ? '/login' : path]);
    return {
      kind: 'page',
      page: {
        name: 'entrance',
        data,
        title: say('shell.documentTitle').replace('{{page}}', title),
        description: say(path === '/signup' ? 'access.signUp.text' : 'access.signIn.text'),
        language,
        frames: null,
        unlisted: !findable.includes(path),
      },
    };
  };
}

async function roleOf({ db }: App, { request }: PageCall) {
  const token = request.onlooker?.sessionToken;
  const userId = token === undefined ? null : await findSignedIn(db, token);
  return userId === null ? null : ((await findUser(db, userId))?.role ?? null);
}

const tell = (picture: BrandPicture) => ({ src: logoUrl(picture), width: picture.width, height: picture.height });

const catalogues = join(import.meta.dirname, '../../../web/locales');
const readWords = (language: string) =>
  entranceWords((area) => JSON.parse(readFileSync(join(catalogues, language, `${area}.json`), 'utf8')));

const catalogue = new Map<string, Record<string, string>>(languages.map((language) => [language, readWords(language)]));
const english = catalogue.get('en') ?? {};

const wordsIn = (language: string): Record<string, string> =>
  language === pseudoLocale ? pseudoWords(english) : (catalogue.get(language) ?? english);
