import { randomBytes } from 'node:crypto';
import { readEmbedding } from '#features/booking/public.ts';
import { fillWords } from '#features/booking/rules/fill-words.ts';
import { solutionField } from '#kernel/solve-challenge.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import type { Complaint } from '../rules/answers.ts';
import { type FormData, zoneField } from '../rules/form-page-data.ts';
import { readPrefilled, readTyped } from '../rules/read-form.ts';
import type { FoundForm } from './find-form-at.ts';
import { readFormVisitor } from './read-form-visitor.ts';

/** The reasons why sent answers were refused. */
export interface Refused {
  status: number;
  wrong: Readonly<Record<string, Complaint>>;
  /** About the whole. */
  trouble?: 'limited' | 'blocked' | 'working' | 'busy' | undefined;
  challenge?: string | undefined;
}

/** The page of a form: as its address fills it in, or as it was sent, with what is wrong. */
export function showFormPage(
  app: Pick<App, 'config'>,
  call: PageCall,
  { form, host, path }: FoundForm,
  refused: Refused | null = null,
): PageAnswer {
  const { definition } = form;
  const visitor = readFormVisitor(call);
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
export const embeddingOf = ({ config }: Pick<App, 'config'>, call: PageCall, { definition }: FoundForm['form']) =>
  readEmbedding(call, [...definition.frames, new URL(config.publicUrl).origin]);

/** Names one sending of the page. */
export const attemptOf = (call: PageCall): string | null =>
  /^[\w-]{8,64}$/.exec(call.form.get('attempt') ?? '')?.[0] ?? null;
