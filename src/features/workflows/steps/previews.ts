import { randomUUID } from 'node:crypto';
import { listHosts } from '#features/accounts/public.ts';
import { type BookingFacts, findNewestBookingId, listBookingFacts } from '#features/booking/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { BookingId, RunId, StepId, UserId, WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { workflowsContract } from '../contract.ts';
import type { RenderedAction } from '../rules/action.ts';
import { isAboutBooking, type Trigger } from '../rules/definition.ts';
import { unknownVariables } from '../rules/variables.ts';
import { renderStep, type Told } from './rendering.ts';
import { checkDefinition, performStep } from './steps.ts';
import type { StepHost } from './values.ts';

/** A form asks with each change of a text. */
const previews = { action: 'workflow previews per account', burst: 120, periodSeconds: 120 };

type Preview = typeof workflowsContract.previewStep;

/** A step's texts as somebody would get them. *Errors*: AppError not-found, limited. */
export async function previewStep(
  app: App,
  { userId }: Actor,
  { trigger, action }: Input<Preview>['body'],
): Promise<Output<Preview>> {
  await takeAllowance(app.db, previews, userId);
  const { host, told, isSample } = await loadTold(app, userId, trigger);
  const nowMs = app.clock.nowMs();
  const { publicUrl } = app.config;
  const setting = { host, owner: host, publicUrl, from: app.mail.from.address, nowMs, expiresAtMs: nowMs };
  const made = renderStep(action, told, setting);
  const texts = [...('subject' in action ? [action.subject] : []), ...('body' in action ? [action.body] : [])];
  const unknown = [...new Set(texts.flatMap((text) => unknownVariables(text, trigger)))];
  const shown = made.ok ? made.rendered : null;
  const [mail] = shown?.kind === 'send-email' ? shown.mails : [];
  return {
    subject: mail?.subject ?? null,
    body: mail?.body ?? (shown !== null && 'body' in shown ? shown.body : null),
    unknown,
    sample: isSample,
  };
}

type Test = typeof workflowsContract.testStep;

const tests = { action: 'workflow tests per account', burst: 20, periodSeconds: 3_600 };
const useMs = 3_600_000;

/** Carries a step out now, for its author only: mails and messages go to them. *Errors*: AppError invalid (`INVALID`), limited. */
export async function testStep(
  app: App,
  { userId }: Actor,
  { trigger, action }: Input<Test>['body'],
): Promise<Output<Test>> {
  const { host, told } = await loadTold(app, userId, trigger);
  const id = randomUUID();
  const owner = { userId, teamId: null };
  const steps = [{ id: id as StepId, action }];
  await checkDefinition(
    app,
    { ...owner, email: host.email },
    {
      trigger,
      offset: { amount: 0, unit: 'minutes' },
      filter: { event_type_ids: null },
      if_past: 'skip',
      if_late: 'skip',
      quiet_hours: null,
      steps,
    },
  );
  await takeAllowance(app.db, tests, userId);
  const nowMs = app.clock.nowMs();
  const setting = {
    host,
    owner: host,
    publicUrl: app.config.publicUrl,
    from: app.mail.from.address,
    nowMs,
    expiresAtMs: nowMs + useMs,
  };
  const made = renderStep(action, told, setting);
  if (!made.ok) throw new AppError('invalid', 'INVALID', 'No recipient matches this step.', { fields: {} });
  const rendered = toAuthor(made.rendered, host);
  if (rendered === null) return { outcome: 'refused', reason: 'no-number', to: null };
  const outcome = await performStep(
    app,
    {
      ...owner,
      id: id as RunId,
      key: id,
      workflowId: id as WorkflowId,
      stepId: id as StepId,
      booking: null,
      subject: id,
      attempt: 1,
      isTest: true,
    },
    rendered,
  );
  const to = rendered.kind === 'send-email' ? host.email : rendered.kind === 'send-sms' ? rendered.to.address : null;
  return outcome.outcome === 'done'
    ? { outcome: 'done', reason: null, to }
    : { outcome: 'refused', reason: outcome.reason, to };
}

/** Redirects a rendered step to its author. */
function toAuthor(rendered: RenderedAction, { email, phone, locale, zone }: StepHost): RenderedAction | null {
  const author = { role: 'host' as const, locale, zone, isProved: true };
  if (rendered.kind === 'send-email')
    return {
      ...rendered,
      mails: rendered.mails.slice(0, 1).map((mail) => ({ ...mail, to: { ...author, address: email } })),
    };
  if (rendered.kind === 'send-sms') return phone === null ? null : { ...rendered, to: { ...author, address: phone } };
  return rendered;
}

/** The data of a trial: the author's newest booking, or a sample. *Errors*: AppError not-found. */
async function loadTold(
  app: App,
  userId: UserId,
  trigger: Trigger,
): Promise<{ host: StepHost; told: Told; isSample: boolean }> {
  const host = (await listHosts(app.db, [userId])).get(userId);
  if (host === undefined)
    throw new AppError('not-found', 'NOT_FOUND', 'Confirm your email address first. Steps send messages in your name.');
  if (!isAboutBooking(trigger)) {
    const guest = { name: 'Gus Guest', email: 'gus@example.com', phone: null, zone: 'UTC' };
    const told: Told =
      trigger === 'form-submitted'
        ? { other: { kind: 'form', form: 'Contact us', answers: [{ label: 'Size', answer: '10 to 50' }], guest } }
        : { other: { kind: 'calendar', account: host.email, problem: 'Access was withdrawn' } };
    return { host, told, isSample: true };
  }
  const id = await findNewestBookingId(app.db, userId);
  const booking = id === null ? undefined : (await listBookingFacts(app, app.db, [id])).get(id);
  const sample = sampleBooking(userId, app.clock.nowMs());
  // the link of a guest is theirs alone
  return { host, told: { booking: { ...(booking ?? sample), url: sample.url } }, isSample: booking === undefined };
}

/** A booking of nobody's, for people who try a step before anything was booked. Its guest cannot be written to. */
export function sampleBooking(userId: UserId, nowMs: number): BookingFacts {
  const startMs = Math.ceil(nowMs / 3_600_000) * 3_600_000 + 86_400_000;
  return {
    id: '00000000-0000-4000-8000-000000000000' as BookingId,
    uid: 'example@holdfast.invalid',
    userId,
    hostIds: [userId],
    eventTypeId: null,
    teamId: null,
    state: 'confirmed',
    sequence: 0,
    title: 'Intro',
    startMs,
    endMs: startMs + 1_800_000,
    location: { kind: 'link', url: 'https://meet.example.com/room' },
    joinUrl: 'https://meet.example.com/room',
    guest: {
      name: 'Gus Guest',
      email: 'gus@example.com',
      phone: null,
      zone: 'UTC',
      locale: null,
      isProved: true,
      hasConfirmed: true,
    },
    guests: [],
    answers: [{ label: 'Company', answer: 'Example' }],
    isReasonOfGuest: false,
    reason: null,
    guestNoShow: false,
    hostNoShow: false,
    createdMs: nowMs,
    confirmedMs: nowMs,
    organizer: null,
    last: null,
    isFirst: true,
    isAlongside: false,
    url: 'https://example.com/booked/example',
    bookUrl: 'https://example.com/anna/intro',
    linkUrl: null,
  };
}
