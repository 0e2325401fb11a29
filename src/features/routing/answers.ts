import { randomUUIDv7 } from 'node:crypto';
import { loadOwnerZone } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { demandUnblocked, listNextHosts, listRouted, listTypesOf } from '#features/booking/public.ts';
import { findKnown } from '#features/contacts/public.ts';
import { listMembers } from '#features/teams/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { FormId, SubmissionId } from '#kernel/ids.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import { type Allowance, takeAllowances, takeNetworkAllowance } from '#platform/limits.ts';
import { type Busy, demandWork } from '#platform/proof-of-work.ts';
import type { routingContract } from './contract.ts';
import { chooseDestination, createLink } from './destinations.ts';
import { formSubmitted } from './events.ts';
import { notifyOwner, requireForm, requireOwner } from './forms.ts';
import type { Action } from './rules/action.ts';
import { type Answers, checkAnswers, contactOf, sayAnswers } from './rules/answers.ts';
import { type Condition, Folds } from './rules/condition.ts';
import { type DecisionRecord, decide, keepReasons, toReasonView } from './rules/decision.ts';
import { dayIn, type Facts, noFacts, toKnown } from './rules/fact.ts';
import type { Definition } from './rules/form-definition.ts';
import { type FormOwner, formOwnerOf } from './rules/form-owner.ts';
import type { Form } from './store/form-rows.ts';
import { findByAttempt, insertSubmission, lockAttempt, type Submission } from './store/submission-rows.ts';

/** Facts from a browser. */
interface BrowserFacts {
  language: string | null;
  zone: string | null;
}

/**
 * Facts of a visitor that the rules of the form ask for, among them tags of the contact. Other facts are neither looked up
 * nor kept. Two statements at most.
 */
async function collectFacts(
  db: Database,
  { definition, ...owner }: FormOwner & { definition: Definition },
  email: string | null,
  browser: BrowserFacts,
  nowMs: number,
  folds: Folds,
): Promise<Facts> {
  const asked = definition.rules.flatMap(({ conditions }) => conditions.filter((one) => 'fact' in one));
  const asks = (fact: keyof Facts) => asked.some((one) => one.fact === fact);
  const facts: Facts = {
    ...noFacts,
    language: asks('language') ? browser.language : null,
    zone: asks('zone') ? browser.zone : null,
  };
  if (asks('day')) facts.day = dayIn(await zoneOf(db, owner), nowMs);
  if (asks('contact') && email !== null) {
    const known = await findKnown(db, owner, email);
    const worn = known?.tags ?? [];
    const named = worn.length === 0 ? null : await inSlices(namedTags(asked, folds));
    facts.contact = { owner: known?.owner ?? null, tags: worn.filter((tag) => named?.has(folds.of(tag))) };
  }
  return facts;
}

/** Folded. */
function* namedTags(asked: readonly Condition[], folds: Folds): Sliced<Set<string>> {
  const named = new Set<string>();
  for (const one of asked) {
    if (one.op === 'tag' || one.op === 'tag-not') for (const tag of one.values) named.add(folds.of(tag));
    yield;
  }
  return named;
}

/** A team is where its owner is, who comes first among its members. */
async function zoneOf(db: Database, { userId, teamId }: FormOwner): Promise<string> {
  if (teamId === null) return loadOwnerZone(db, userId);
  const [owner] = await listMembers(db, teamId);
  return owner?.zone ?? 'UTC';
}

const perNetwork: Allowance = { action: 'form per network', burst: 20, periodSeconds: 600 };
/** To all forms. Each answer is kept for a year, and a workflow may write a mail about it. */
const perNetworkDay: Allowance = { action: 'form per network and day', burst: 200, periodSeconds: 86_400 };
const perForm: Allowance = { action: 'form', burst: 500, periodSeconds: 3_600 };
/** All forms of a person or team. */
const perOwner: Allowance = { action: 'form per owner', burst: 3_000, periodSeconds: 86_400 };
/** Past `perForm` or `perOwner` each network has less room, so that no sender closes a form for all others. */
const perNetworkUnderLoad: Allowance = { action: 'form under load', burst: 3, periodSeconds: 3_600 };
/** Answers to one form that need no work, and those of browsers that cannot do any. */
export const busyForm = (id: FormId): Busy => ({
  purpose: `form ${id}`,
  quiet: { action: 'form, without work', burst: 60, periodSeconds: 3_600 },
  plain: { action: 'form, without script', burst: 20, periodSeconds: 3_600 },
});

/** Where somebody is led: to a link of their own, or to what the action says. */
export interface Outcome {
  decision: DecisionRecord;
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
  { attempt, ip, solution, ...browser }: { attempt: string; ip: string; solution: string | undefined } & BrowserFacts,
): Promise<Outcome> {
  await takeNetworkAllowance(app.db, perNetwork, ip);
  await demandWork(app, busyForm(form.id), solution);
  await takeNetworkAllowance(app.db, perNetworkDay, ip);
  const ownerId = form.teamId ?? form.userId ?? form.id;
  const hasRoom =
    (await takeAllowances(app.db, perForm, [form.id])).has(form.id) &&
    (await takeAllowances(app.db, perOwner, [ownerId])).has(ownerId);
  if (!hasRoom) await takeNetworkAllowance(app.db, perNetworkUnderLoad, ip);
  const { definition } = form;
  const nowMs = app.clock.nowMs();
  const contact = contactOf(definition.questions, answers);
  const email = canonicalEmail(contact.email ?? '');
  if (email !== null) await demandUnblocked(app.db, form.userId === null ? [] : [form.userId], [email]);
  const folds = new Folds();
  const facts = await collectFacts(app.db, form, contact.email, browser, nowMs, folds);
  const decided = await inSlices(decide(definition, { ...answers, ...toKnown(facts) }, folds));
  const said = sayAnswers(definition.questions, answers);
  return inTransaction(app.db, async (tx) => {
    await lockAttempt(tx, form.id, attempt);
    const earlier = await findByAttempt(tx, form.id, attempt);
    if (earlier !== null) return repeatOutcome(app, earlier);
    const actions = decided.ruleId === null ? [decided.action] : [decided.action, definition.fallback];
    const destination = await chooseDestination(tx, form, actions);
    const decision: DecisionRecord = { ...keepReasons(decided, definition), ...destination, facts };
    const link = await createLink(app, tx, decision);
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
    await notifyOwner(app, tx, form);
    return { decision, path: link?.path ?? null };
  });
}

/** Where the same answers led before. */
async function repeatOutcome(app: App, { decision, linkId }: Submission): Promise<Outcome> {
  const { urls } = await listRouted(app, linkId === null ? [] : [linkId]);
  const url = linkId === null ? undefined : urls.get(linkId);
  return { decision, path: url === undefined ? null : new URL(url).pathname };
}

type Tested = Output<typeof routingContract.testForm>;
type Decided = NonNullable<Tested['decision']>;

/** A dry run: what would become of answers, and of a round robin who would be next. *Errors*: AppError invalid (`INVALID`). */
export async function testForm(
  app: Pick<App, 'db' | 'clock'>,
  actor: Actor,
  body: Input<typeof routingContract.testForm>['body'],
): Promise<Tested> {
  const { owner, definition } = await findTested(app, actor, body);
  const { answers, wrong } = checkAnswers(definition.questions, body.answers);
  if (Object.keys(wrong).length > 0) return { wrong, decision: null };
  const { ruleId, action, reasons } = await inSlices(
    decide(definition, { ...answers, ...toKnown(body.facts ?? noFacts) }),
  );
  const { email } = contactOf(definition.questions, answers);
  return {
    wrong,
    decision: {
      rule_id: ruleId,
      action,
      reasons: reasons.map(toReasonView),
      ...(action.kind === 'event-type' ? await tryType(app, owner, action, email) : { trouble: null, next: [] }),
    },
  };
}

async function findTested(
  app: Pick<App, 'db'>,
  actor: Actor,
  { form_id: formId, team_id: teamId, definition }: Input<typeof routingContract.testForm>['body'],
): Promise<{ owner: FormOwner; definition: Definition }> {
  if (formId !== undefined) {
    const form = await requireForm(app.db, actor, formId, 'manage-routing');
    const owner: FormOwner = form;
    return { owner, definition: definition ?? form.definition };
  }
  if (definition === undefined)
    throw new AppError('invalid', 'INVALID', 'Nothing to test. Send a form or a draft.', {
      fields: { definition: 'This field is required.' },
    });
  const owner = formOwnerOf(actor.userId, teamId ?? null);
  await requireOwner(app.db, actor, owner, 'manage-routing');
  return { owner, definition };
}

async function tryType(
  app: Pick<App, 'db' | 'clock'>,
  owner: FormOwner,
  action: Extract<Action, { kind: 'event-type' }>,
  email: string | null,
): Promise<Pick<Decided, 'trouble' | 'next'>> {
  const { event_type_id: id, user_ids: hostIds, contact_owner_first: ownerFirst } = action;
  // a draft may name what is somebody else's
  const isTheirs = (await listTypesOf(app.db, owner)).some((type) => type.id === id);
  const found = isTheirs ? await listNextHosts(app, id, { hostIds, ownerFirst, email }) : null;
  if (found === null) return { trouble: 'type-gone', next: [] };
  return {
    trouble: found.paused ? 'type-paused' : found.next.length === 0 ? 'hosts-gone' : null,
    next: found.next.map(({ userId, name, weight, priority, assigned, calibration, isOwner }) => ({
      user_id: userId,
      name,
      weight,
      priority,
      assigned,
      calibration,
      share: (assigned + calibration) / weight,
      owner: isOwner,
    })),
  };
}
