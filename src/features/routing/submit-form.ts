import { randomUUIDv7 } from 'node:crypto';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { demandUnblocked, listRouted } from '#features/booking/public.ts';
import type { FormId, SubmissionId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import { type Allowance, takeAllowances, takeNetworkAllowance } from '#platform/limits.ts';
import { type Busy, demandWork } from '#platform/proof-of-work.ts';
import { chooseWay } from './choose-way.ts';
import { formSubmitted } from './events.ts';
import { learnFacts, type SaidByBrowser } from './learn-facts.ts';
import { makeWay } from './make-way.ts';
import { type Answers, contactOf, sayAnswers } from './rules/answers.ts';
import { Folds } from './rules/condition.ts';
import { decide } from './rules/decide.ts';
import { toKnown } from './rules/fact.ts';
import type { FormOwner } from './rules/form-owner.ts';
import { type KeptDecision, keepReasons } from './rules/kept-decision.ts';
import type { Form } from './store/form-rows.ts';
import { findByAttempt, insertSubmission, lockAttempt, type Submission } from './store/submission-rows.ts';
import { tellOwner } from './tell-owner.ts';

const perNetwork: Allowance = { action: 'form per network', burst: 20, periodSeconds: 600 };
const perForm: Allowance = { action: 'form', burst: 500, periodSeconds: 3_600 };
/** Past `perForm` each network has less room, so that no sender closes a form for all others. */
const perNetworkUnderLoad: Allowance = { action: 'form under load', burst: 3, periodSeconds: 3_600 };
/** Answers to one form that need no work, and those of browsers that cannot do any. */
export const busyForm = (id: FormId): Busy => ({
  purpose: `form ${id}`,
  quiet: { action: 'form, without work', burst: 60, periodSeconds: 3_600 },
  plain: { action: 'form, without script', burst: 20, periodSeconds: 3_600 },
});

/** Where somebody is led: to a link of their own, or to what the action says. */
export interface LedOn {
  decision: KeptDecision;
  /** `/l/…` of an event type; null of anything else, and where the link was told before. */
  path: string | null;
}

/**
 * Keeps answers that are valid for a form, with what was decided and why; in the same transaction the link of its guest is
 * made and others hear of it. Sent twice it is one, and leads to the same.
 * *Errors*: AppError limited, forbidden (BLOCKED), conflict (CHALLENGE).
 */
export async function submitForm(
  app: App,
  form: Form & FormOwner,
  answers: Answers,
  { attempt, ip, solution, ...browser }: { attempt: string; ip: string; solution: string | undefined } & SaidByBrowser,
): Promise<LedOn> {
  await takeNetworkAllowance(app.db, perNetwork, ip);
  await demandWork(app, busyForm(form.id), solution);
  const isOverloaded = !(await takeAllowances(app.db, perForm, [form.id])).has(form.id);
  if (isOverloaded) await takeNetworkAllowance(app.db, perNetworkUnderLoad, ip);
  const { definition } = form;
  const nowMs = app.clock.nowMs();
  const contact = contactOf(definition.questions, answers);
  const email = canonicalEmail(contact.email ?? '');
  if (email !== null) await demandUnblocked(app.db, form.userId === null ? [] : [form.userId], [email]);
  const folds = new Folds();
  const facts = await learnFacts(app.db, form, contact.email, browser, nowMs, folds);
  const decided = await inSlices(decide(definition, { ...answers, ...toKnown(facts) }, folds));
  const said = sayAnswers(definition.questions, answers);
  return inTransaction(app.db, async (tx) => {
    await lockAttempt(tx, form.id, attempt);
    const earlier = await findByAttempt(tx, form.id, attempt);
    if (earlier !== null) return leadAgain(app, earlier);
    const actions = decided.ruleId === null ? [decided.action] : [decided.action, definition.fallback];
    const way = await chooseWay(tx, form, actions);
    const decision: KeptDecision = { ...keepReasons(decided, definition), ...way, facts };
    const link = await makeWay(app, tx, decision);
    const id = randomUUIDv7() as SubmissionId;
    await insertSubmission(tx, {
      id,
      attempt,
      formId: form.id,
      revision: form.revision,
      ...contact,
      answers,
      said,
      decision,
      linkId: link?.linkId ?? null,
      createdMs: nowMs,
    });
    await app.news.announce(tx, formSubmitted, {
      submissionId: id,
      formId: form.id,
      formName: form.name,
      userId: form.userId,
      teamId: form.teamId,
      ...contact,
      answers: said,
      atMs: nowMs,
    });
    await tellOwner(app, tx, form);
    return { decision, path: link?.path ?? null };
  });
}

/** Where the same answers led before. */
async function leadAgain(app: App, { decision, linkId }: Submission): Promise<LedOn> {
  const { urls } = await listRouted(app, linkId === null ? [] : [linkId]);
  const url = linkId === null ? undefined : urls.get(linkId);
  return { decision, path: url === undefined ? null : new URL(url).pathname };
}
