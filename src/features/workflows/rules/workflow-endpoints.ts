import * as z from 'zod/mini';
import { counter, id, instantMs, line, queryInt, text } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { actionShape } from './action.ts';
import { definitionShape, triggers } from './definition.ts';
import { templateKeys } from './templates.ts';

const workflowParams = z.strictObject({ id: id<'workflow'>() });
const runParams = z.strictObject({ run_id: id<'run'>() });

const name = line(120).check(z.trim(), z.minLength(1));

/** Words to find it by. */
const tagList = z.array(line(40).check(z.trim(), z.minLength(1))).check(
  z.maxLength(10),
  z.refine((tags: string[]) => new Set(tags).size === tags.length, { error: 'The same value is listed twice' }),
);

export const workflowShape = z.strictObject({
  id: id<'workflow'>(),
  team_id: z.nullable(id<'team'>()), // null: it is about its person's own bookings
  name: z.string(),
  tags: z.array(z.string()),
  active: z.boolean(),
  version: z.int(),
  definition: definitionShape,
  updated_at: instantMs,
  waiting: z.int(), // runs that are planned, or on their way
  given_up: z.int(),
});
export type WorkflowView = z.output<typeof workflowShape>;

const oneWorkflow = z.strictObject({ workflow: workflowShape });

const runStates = ['planned', 'claimed', 'handed', 'done', 'skipped', 'dead'] as const;

const mailShape = z.strictObject({
  to: z.string(),
  state: z.string(), // state in the outbox: queued, sending, sent, failed, bounced
  attempts: z.int(),
  error: z.nullable(z.string()),
});

export const runShape = z.strictObject({
  id: id<'run'>(),
  step: z.int(), // number in the version it was planned by, from 1
  kind: z.string(),
  version: z.int(),
  state: z.enum(runStates),
  reason: z.nullable(z.string()),
  /** The subject: a booking, or another event. */
  about: z.string(),
  guest: z.nullable(z.string()),
  booking_id: z.nullable(id<'booking'>()),
  booking_at: z.nullable(instantMs),
  due_at: instantMs,
  next_at: z.nullable(instantMs), // when it is tried again
  ended_at: z.nullable(instantMs),
  reference: z.nullable(z.string()),
  attempts: z.array(
    z.strictObject({
      at: instantMs,
      outcome: z.enum(['done', 'refused', 'again', 'unknown']),
      reason: z.nullable(z.string()),
    }),
  ),
  /** For a text message: the later report of the network. */
  delivery: z.nullable(z.strictObject({ status: z.string(), error_code: z.nullable(z.int()) })),
  mails: z.array(mailShape),
});
export type RunView = z.output<typeof runShape>;

const stepInput = z.strictObject({ trigger: z.enum(triggers), action: actionShape });
const address = line(254).check(z.trim(), z.regex(/^[^\s<>()[\]\\,;:"@]{1,64}@[^\s<>()[\]\\,;:"@]{1,253}$/));

export const workflowEndpoints = {
  listWorkflows: endpoint({
    method: 'GET',
    path: '/api/workflows',
    auth: 'user',
    summary: 'Workflows of the caller and their teams, oldest first, with their waiting and failed runs',
    output: z.strictObject({
      workflows: z.array(workflowShape),
      teams: z.array(z.strictObject({ team_id: id<'team'>(), name: z.string() })), // teams whose workflows the caller may manage
      kinds: z.array(z.string()), // kinds of actions that this install can do
    }),
  }),
  createWorkflow: endpoint({
    method: 'POST',
    path: '/api/workflows',
    auth: 'user',
    summary: 'Create a workflow, from scratch or from a template',
    body: z.strictObject({
      name,
      active: z.optional(z.boolean()), // default: true
      team_id: z.optional(id<'team'>()), // for what is booked of its event types, or answered in its forms
      tags: z.optional(tagList),
      definition: z.optional(definitionShape),
      template: z.optional(z.enum(templateKeys)),
    }),
    output: oneWorkflow,
    errors: ['INVALID', 'PLAN_LIMIT', 'TOO_MANY'],
    status: 201,
  }),
  readWorkflow: endpoint({
    method: 'GET',
    path: '/api/workflows/{id}',
    auth: 'user',
    summary: 'One workflow',
    params: workflowParams,
    output: oneWorkflow,
  }),
  changeWorkflow: endpoint({
    method: 'PUT',
    path: '/api/workflows/{id}',
    auth: 'user',
    summary: 'Save a new version of a workflow. Planned runs are updated',
    params: workflowParams,
    body: z.strictObject({
      version: counter(1),
      name,
      tags: z.optional(tagList),
      definition: definitionShape,
    }), // version: the one that was seen
    output: oneWorkflow,
    errors: ['STALE', 'INVALID'],
  }),
  switchWorkflow: endpoint({
    method: 'PATCH',
    path: '/api/workflows/{id}',
    auth: 'user',
    summary: 'Pause or resume a workflow. Planned runs are skipped, or planned again',
    params: workflowParams,
    body: z.strictObject({ active: z.boolean() }),
    output: oneWorkflow,
  }),
  deleteWorkflow: endpoint({
    method: 'DELETE',
    path: '/api/workflows/{id}',
    auth: 'user',
    summary: 'Delete a workflow. Nothing more is sent',
    params: workflowParams,
    output: z.void(),
  }),
  restoreWorkflow: endpoint({
    method: 'POST',
    path: '/api/workflows/{id}/restore',
    auth: 'user',
    summary: 'Undo a deletion from the last 30 days',
    params: workflowParams,
    output: oneWorkflow,
    errors: ['PLAN_LIMIT', 'TOO_MANY'],
  }),
  listWorkflowVersions: endpoint({
    method: 'GET',
    path: '/api/workflows/{id}/versions',
    auth: 'user',
    summary: 'The newest 50 versions of a workflow, newest first',
    params: workflowParams,
    output: z.strictObject({
      versions: z.array(z.strictObject({ n: z.int(), definition: definitionShape, at: instantMs })),
    }),
  }),
  listWorkflowRuns: endpoint({
    method: 'GET',
    path: '/api/workflows/{id}/runs',
    auth: 'user',
    summary: 'Past, planned, and skipped runs of a workflow with their reasons, newest first',
    params: workflowParams,
    query: z.strictObject({
      state: z.optional(z.enum(['waiting', 'done', 'skipped', 'dead'])),
      after: z.optional(id<'run'>()),
      limit: z.optional(queryInt(1, 100)), // default: 30
    }),
    output: z.strictObject({ runs: z.array(runShape), more: z.boolean() }),
  }),
  retryRun: endpoint({
    method: 'POST',
    path: '/api/workflows/runs/{run_id}/retry',
    auth: 'user',
    summary: 'Retry a failed run. Recipients who were reached get nothing again',
    params: runParams,
    output: z.void(),
    errors: ['NOT_GIVEN_UP'],
  }),
  previewStep: endpoint({
    method: 'POST',
    path: '/api/workflows/preview',
    auth: 'user',
    summary: 'Texts of a step with the values of the newest booking, or of an example',
    body: stepInput,
    output: z.strictObject({
      subject: z.nullable(z.string()),
      body: z.nullable(z.string()),
      unknown: z.array(z.string()), // variables that mean nothing here
      sample: z.boolean(), // no booking exists yet
    }),
  }),
  testStep: endpoint({
    method: 'POST',
    path: '/api/workflows/test',
    auth: 'user',
    summary: 'Run a step now with the values of the newest booking or an example. Emails go to the caller only',
    body: stepInput,
    output: z.strictObject({
      outcome: z.enum(['done', 'refused']),
      reason: z.nullable(z.string()),
      to: z.nullable(z.string()),
    }),
    errors: ['INVALID'],
  }),
  askAddress: endpoint({
    method: 'POST',
    path: '/api/workflows/addresses',
    auth: 'user',
    summary: 'Email a code to a recipient address, so that its owner can agree',
    body: z.strictObject({ address }),
    output: z.strictObject({ confirmed: z.boolean() }), // the address was confirmed before
    errors: ['TOO_MANY'],
  }),
  confirmAddress: endpoint({
    method: 'POST',
    path: '/api/workflows/addresses/confirm',
    auth: 'user',
    summary: 'Confirm a recipient address with its emailed code',
    body: z.strictObject({ address, code: text(12).check(z.trim(), z.regex(/^[0-9]{6}$/)) }),
    output: z.void(),
    errors: ['WRONG_CODE'],
  }),
};
