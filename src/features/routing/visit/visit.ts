import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { findHost, isSuspended } from '#features/accounts/public.ts';
import { findHandle, pageWords, readEmbedding, readVisitor } from '#features/booking/public.ts';
import { fillWords } from '#features/booking/rules/fill-words.ts';
import { handlePattern, isReserved } from '#features/booking/rules/handle.ts';
import type { NoticeData, ShownHost } from '#features/booking/rules/visit-data.ts';
import { teamReading } from '#features/teams/public.ts';
import { AppError, httpStatusOf } from '#kernel/errors.ts';
import { solutionField } from '#kernel/solve-challenge.ts';
import { initialsOf } from '#kernel/text/trim-text.ts';
import { loadZone } from '#kernel/time/zones.ts';
import type { App } from '#platform/app.ts';
import { homeOf } from '#platform/brand.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { readAlone } from '#platform/reading.ts';
import { type Outcome, submitForm } from '../answers.ts';
import { type Answers, type Complaint, checkAnswers, contactOf, sayAnswers } from '../rules/answers.ts';
import { firstLanguage } from '../rules/fact.ts';
import type { FormOwner } from '../rules/form-owner.ts';
import { type FormData, zoneField } from '../rules/form-page-data.ts';
import { formPath } from '../rules/form-view.ts';
import { readPrefilled, readTyped, toAnswers } from '../rules/read-form.ts';
import { type Form, findFormAt as findRow } from '../store/form-rows.ts';

interface FoundForm {
  form: Form & FormOwner;
  host: ShownHost;
  /** The address in use, which need not be the one that was asked for. */
  path: string;
}

/** The form at an address, for who has nothing but that; null where there is none, or nobody whose it is. */
async function findFormAt({ db }: Pick<App, 'db'>, { params }: PageCall): Promise<FoundForm | null> {
  const [handle = '', slug = ''] = [params.handle?.toLowerCase(), params.slug?.toLowerCase()];
  if (!handlePattern.test(handle) || !handlePattern.test(slug) || isReserved(handle)) return null;
  const owner = await findHandle(db, handle);
  if (owner === null) return null;
  const ownerId = owner.teamId ?? owner.userId;
  const form = ownerId === null ? null : await findRow(db, ownerId, slug);
  if (form === null) return null;
  const shown =
    owner.teamId === null
      ? owner.userId && (await findHost(db, owner.userId))
      : await readAlone(db, teamReading(owner.teamId)).then(
          (team) => team && { name: team.name, avatarUrl: team.logoUrl },
        );
  if (!shown) return null;
  return {
    form: form as Form & FormOwner,
    host: {
      name: shown.name,
      initials: initialsOf(shown.name),
      avatarUrl: shown.avatarUrl,
      path: `/${owner.handle}`,
    },
    path: formPath(owner.handle, form.slug),
  };
}

const sayings = pageWords(join(import.meta.dirname, '../page/words'));

/** The visitor of a form, with the words of its pages. */
function getVisitor(call: PageCall): ReturnType<typeof readVisitor> {
  const visitor = readVisitor(call, { zone: 'UTC' });
  return { ...visitor, words: { ...visitor.words, ...sayings(visitor.language) } };
}

/** A page that says one thing about a form. `text` instead of the words for it: what its owner wrote. */
function showNotice(
  call: PageCall,
  name: 'away' | 'paused' | 'nobody' | 'message' | 'url' | 'nothing' | 'used',
  options: {
    status?: number;
    values?: Record<string, string>;
    text?: string;
    goOn?: string;
    frames?: readonly string[] | null;
    framedBy?: string | undefined;
    home?: NoticeData['home'];
  } = {},
): PageAnswer {
  const { words, language } = getVisitor(call);
  const { status = 200, values, text, goOn, frames = null, framedBy, home } = options;
  const title = fillWords(words, `form-notice.${name}`, values);
  const data: NoticeData = {
    words: {},
    title,
    text: text ?? fillWords(words, `form-notice.${name}-text`, values),
    link:
      goOn === undefined
        ? null
        : { to: goOn, label: fillWords(words, `form-notice.${name}-go`, values), outside: true },
    home,
  };
  const page = { name: 'notice' as const, data, language, frames, framedBy, unlisted: true };
  return { kind: 'page', status, page: { ...page, title: home === undefined ? title : `${title} · ${home.product}` } };
}

/** The reasons why sent answers were refused. */
interface Refused {
  status: number;
  wrong: Readonly<Record<string, Complaint>>;
  /** About the whole. */
  trouble?: 'limited' | 'blocked' | 'working' | 'busy' | undefined;
  challenge?: string | undefined;
}

/** The page of a form: as its address fills it in, or as it was sent, with what is wrong. */
function showFormPage(
  app: Pick<App, 'config'>,
  call: PageCall,
  { form, host, path }: FoundForm,
  refused: Refused | null = null,
): PageAnswer {
  const { definition } = form;
  const visitor = getVisitor(call);
  const embedded = embeddingOf(app, call, form);
  const say = (key: string) => fillWords(visitor.words, key);
  const complaints = Object.fromEntries(
    Object.entries(refused?.wrong ?? {}).map(([id, why]) => [id, say(`answer.${why}`)]),
  );
  const asksZone = definition.rules.some(({ conditions }) =>
    conditions.some((one) => 'fact' in one && one.fact === 'zone'),
  );
  const isWorking = refused?.challenge !== undefined;
  const data: FormData = {
    words: visitor.words,
    reading: visitor.reading,
    host,
    title: definition.title,
    intro: definition.intro,
    questions: definition.questions,
    typed:
      refused === null ? readPrefilled(definition.questions, call.query) : readTyped(definition.questions, call.form),
    complaints: refused?.trouble === undefined ? complaints : { '': say(`form-page.${refused.trouble}`) },
    path,
    carried: {
      ...visitor.chosen,
      ...(embedded === null ? {} : { embed: embedded.origin }),
      ...(asksZone ? { [zoneField]: call.form.get(zoneField)?.slice(0, 64) ?? '' } : {}),
      attempt: attemptOf(call) ?? randomBytes(16).toString('base64url'),
      ...(isWorking || call.form.get(solutionField) === '' ? { [solutionField]: '' } : {}),
    },
    embedded: embedded !== null,
    isWorking,
  };
  const title = `${definition.title} · ${host.name}`;
  const description = definition.intro.slice(0, 200) || definition.title;
  return {
    kind: 'page',
    status: refused?.status ?? 200,
    page: {
      name: 'form',
      data,
      title,
      description,
      preview: { path, title, description, picture: host.avatarUrl },
      language: visitor.language,
      frames: definition.frames,
      framedBy: embedded?.origin,
      counts: true,
      unlisted: false,
      zoneField: asksZone ? zoneField : undefined,
      challenge: refused?.challenge,
    },
  };
}

/** In a frame of a site that the form names; the editor shows it too. */
const embeddingOf = ({ config }: Pick<App, 'config'>, call: PageCall, { definition }: FoundForm['form']) =>
  readEmbedding(call, [...definition.frames, new URL(config.publicUrl).origin]);

/** Names one sending of the page. */
const attemptOf = (call: PageCall): string | null => /^[\w-]{8,64}$/.exec(call.form.get('attempt') ?? '')?.[0] ?? null;

/** Answers of a visitor: they are led on, or get the page again with what is wrong and all that they typed. */
async function submitPage(app: App, call: PageCall, found: FoundForm): Promise<PageAnswer> {
  const { questions } = found.form.definition;
  const { answers, wrong } = checkAnswers(questions, toAnswers(questions, readTyped(questions, call.form)));
  if (Object.keys(wrong).length > 0) return showFormPage(app, call, found, { status: 422, wrong });
  try {
    const attempt = attemptOf(call) ?? randomUUID();
    const led = await submitForm(app, found.form, answers, {
      attempt,
      ip: call.request.ip,
      solution: call.form.get(solutionField) ?? undefined,
      language: firstLanguage(call.languages),
      zone: zoneOf(call),
    });
    return followOutcome(app, call, found, led, answers);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const trouble = troubleOf(error, call);
    if (trouble === null) throw error;
    const { challenge } = error.fields ?? {};
    return showFormPage(app, call, found, { status: httpStatusOf[error.kind], wrong: {}, trouble, challenge });
  }
}

function troubleOf({ kind, code }: AppError, { form }: PageCall): Refused['trouble'] | null {
  if (code === 'CHALLENGE') return 'working';
  if (code === 'BLOCKED') return 'blocked';
  if (kind !== 'limited') return null;
  return form.get(solutionField) === '' ? 'busy' : 'limited';
}

/** As the script of the page sent it, else as the address of the page has it. */
const zoneOf = ({ form, query }: PageCall): string | null =>
  loadZone(form.get(zoneField) || form.get('tz') || query.get('tz') || '')?.id ?? null;

function followOutcome(
  app: App,
  call: PageCall,
  { form, host }: FoundForm,
  { decision, path }: Outcome,
  answers: Answers,
): PageAnswer {
  const { action } = decision;
  const embedded = embeddingOf(app, call, form);
  const shown = { frames: form.definition.frames, framedBy: embedded?.origin };
  if (action === null) return showNotice(call, 'nothing', { values: { host: host.name }, ...shown });
  if (action.kind === 'message') return showNotice(call, 'message', { text: action.text, ...shown });
  if (action.kind === 'url') {
    const site = new URL(action.url).host;
    return showNotice(call, 'url', { values: { site }, goOn: action.url, ...shown });
  }
  if (path === null) return showNotice(call, 'used', { values: { host: host.name }, ...shown });
  const query = carriedAnswers(form.definition.questions, answers);
  for (const name of ['lang', 'tz', 'clock']) {
    const chosen = call.form.get(name);
    if (chosen !== null) query.set(name, chosen);
  }
  if (embedded !== null) query.set('embed', embedded.origin);
  return { kind: 'go', to: query.size === 0 ? path : `${path}?${query.toString()}` };
}

/** So much of what was answered fits an address that every server takes. */
const mostQuery = 4_000;

/** Fields that the booking page fills in: the contact, and questions with the same id. */
function carriedAnswers(questions: FoundForm['form']['definition']['questions'], answers: Answers): URLSearchParams {
  const query = new URLSearchParams();
  const put = (name: string, value: string) => {
    if (value.length <= 500 && query.toString().length + value.length * 3 < mostQuery) query.set(name, value);
  };
  for (const [name, value] of Object.entries(contactOf(questions, answers))) if (value !== null) put(name, value);
  for (const { id, answer } of sayAnswers(questions, answers)) {
    if (answer !== false) put(`q-${id}`, answer === true ? 'yes' : answer);
  }
  return query;
}

/** The page of a form, `/{handle}/forms/{slug}`, and what is sent by it. */
export async function visitForm(app: App, call: PageCall): Promise<PageAnswer | null> {
  const found = await findFormAt(app, call);
  if (found === null) {
    if (!call.wantsHtml && call.method !== 'POST') return null;
    const owner = await findHandle(app.db, call.params.handle?.toLowerCase() ?? '');
    const rests = owner?.userId != null && (await isSuspended(app.db, owner.userId));
    return rests
      ? showNotice(call, 'away')
      : showNotice(call, 'nobody', { status: 404, home: homeOf(app.brand.current()) });
  }
  const { form, host, path } = found;
  if (!form.active) return showNotice(call, 'paused', { values: { host: host.name }, frames: form.definition.frames });
  if (call.method === 'POST') return submitPage(app, call, found);
  // an old handle, or capitals: one address for each page
  if (path !== `/${call.params.handle}/forms/${call.params.slug}`) {
    const query = call.query.toString();
    return { kind: 'go', to: query === '' ? path : `${path}?${query}` };
  }
  return showFormPage(app, call, found);
}
