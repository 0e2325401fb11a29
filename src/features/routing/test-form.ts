import { listNextHosts, listTypesOf } from '#features/booking/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inSlices } from '#platform/in-slices.ts';
import type { routingContract } from './contract.ts';
import { demandOwn } from './demand-own.ts';
import { requireForm } from './require-form.ts';
import type { Action } from './rules/action.ts';
import { checkAnswers, contactOf } from './rules/answers.ts';
import { decide } from './rules/decide.ts';
import { noFacts, toKnown } from './rules/fact.ts';
import type { Definition } from './rules/form-definition.ts';
import { type FormOwner, formOwnerOf } from './rules/form-owner.ts';
import { toReasonView } from './rules/reason-view.ts';

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
    throw new AppError('invalid', 'INVALID', 'There is nothing to test: name a form, or give a draft.', {
      fields: { definition: 'This is needed.' },
    });
  const owner = formOwnerOf(actor.userId, teamId ?? null);
  await demandOwn(app.db, actor, owner, 'manage-routing');
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
