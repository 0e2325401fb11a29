import { randomUUID } from 'node:crypto';
import { AppError, httpStatusOf } from '#kernel/errors.ts';
import { solutionField } from '#kernel/solve-challenge.ts';
import { loadZone } from '#kernel/time/zones.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { type Answers, checkAnswers, contactOf, sayAnswers } from '../rules/answers.ts';
import { firstLanguage } from '../rules/fact.ts';
import { zoneField } from '../rules/form-page-data.ts';
import { readTyped, toAnswers } from '../rules/read-form.ts';
import { type LedOn, submitForm } from '../submit-form.ts';
import type { FoundForm } from './find-form-at.ts';
import { sayNotice } from './say-notice.ts';
import { attemptOf, embeddingOf, type Refused, showFormPage } from './show-form-page.ts';

/** Answers of a visitor: they are led on, or get the page again with what is wrong and all that they typed. */
export async function sendForm(app: App, call: PageCall, found: FoundForm): Promise<PageAnswer> {
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
    return leadOn(app, call, found, led, answers);
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

function leadOn(
  app: App,
  call: PageCall,
  { form, host }: FoundForm,
  { decision, path }: LedOn,
  answers: Answers,
): PageAnswer {
  const { action } = decision;
  const embedded = embeddingOf(app, call, form);
  const shown = { frames: form.definition.frames, framedBy: embedded?.origin };
  if (action === null) return sayNotice(call, 'nothing', { values: { host: host.name }, ...shown });
  if (action.kind === 'message') return sayNotice(call, 'message', { text: action.text, ...shown });
  if (action.kind === 'url') {
    const site = new URL(action.url).host;
    return sayNotice(call, 'url', { values: { site }, goOn: action.url, ...shown });
  }
  if (path === null) return sayNotice(call, 'used', { values: { host: host.name }, ...shown });
  const query = carriedOn(form.definition.questions, answers);
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
function carriedOn(questions: FoundForm['form']['definition']['questions'], answers: Answers): URLSearchParams {
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
