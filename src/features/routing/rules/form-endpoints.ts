import * as z from 'zod/mini';
import { handlePattern, longestSlug } from '#features/booking/rules/handle.ts';
import { typeKinds } from '#features/booking/rules/type-settings.ts';
import { counter, id, instantMs, line, text } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { actionShape, troubles } from './action.ts';
import { answersShape, complaints } from './answers.ts';
import { factsShape } from './fact.ts';
import { definitionShape, formTypes } from './form-definition.ts';

/** Room for the largest form that people make: validation of a body takes time for each value, such as a time zone. */
const bodyLimit = 128 * 1024;

const formParams = z.strictObject({ id: id<'form'>() });

const name = line(120).check(z.trim(), z.minLength(1));
const description = text(2_000);
const slug = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(longestSlug),
    z.regex(handlePattern, { error: 'Only small letters a-z, digits, and single hyphens between them' }),
  );

/** A form in the list of those that its reader may see. */
export const formShape = z.strictObject({
  id: id<'form'>(),
  team_id: z.nullable(id<'team'>()), // null: the caller's own
  name: z.string(),
  description: z.string(),
  type: z.enum(formTypes),
  /** Off: its page says that nothing is taken at the moment, and routes nothing. */
  active: z.boolean(),
  slug: z.string(),
  url: z.nullable(z.string()), // null: its owner has no handle
  revision: z.int(), // a change must name it
  rules: z.int(),
  submissions: z.int(), // within the last 30 days
  may_change: z.boolean(), // by the caller: change, switch, delete, test
  may_see_answers: z.boolean(), // the submissions
  updated_at: instantMs,
});
export type FormView = z.output<typeof formShape>;

const oneForm = z.strictObject({ form: formShape, definition: definitionShape });

/** An event type that a form can lead to. */
const targetShape = z.strictObject({
  event_type_id: id<'event-type'>(),
  title: z.string(),
  kind: z.enum(typeKinds),
  paused: z.boolean(),
  hosts: z.array(z.strictObject({ user_id: id<'user'>(), name: z.string() })),
});

/** Why a rule did or did not fit. */
export const reasonShape = z.strictObject({
  rule_id: z.string(),
  fits: z.boolean(),
  held: z.array(z.boolean()), // for each of its conditions, in their order
});

export const formEndpoints = {
  listForms: endpoint({
    method: 'GET',
    path: '/api/routing/forms',
    auth: 'user',
    summary: 'Routing forms of the caller and their teams, oldest first',
    output: z.strictObject({
      forms: z.array(formShape),
      /** Where the caller may make one, besides their own. */
      teams: z.array(z.strictObject({ team_id: id<'team'>(), name: z.string(), may_change: z.boolean() })),
    }),
  }),
  createForm: endpoint({
    method: 'POST',
    path: '/api/routing/forms',
    auth: 'user',
    summary: 'Create a routing form at /{handle}/forms/{slug}',
    body: z.strictObject({
      team_id: z.optional(id<'team'>()), // the caller's own unless given
      name,
      description: z.optional(description),
      slug: z.optional(slug), // made of the name unless given
      active: z.optional(z.boolean()), // default: true
      definition: definitionShape,
    }),
    bodyLimit,
    output: oneForm,
    errors: ['INVALID', 'SLUG_TAKEN', 'TOO_MANY'],
    status: 201,
  }),
  readForm: endpoint({
    method: 'GET',
    path: '/api/routing/forms/{id}',
    auth: 'user',
    summary: 'A routing form with its questions and rules',
    params: formParams,
    output: oneForm,
  }),
  changeForm: endpoint({
    method: 'PUT',
    path: '/api/routing/forms/{id}',
    auth: 'user',
    summary: 'Change a routing form. Earlier submissions keep their decisions',
    params: formParams,
    body: z.strictObject({ revision: counter(1), name, description, slug, definition: definitionShape }),
    bodyLimit,
    output: oneForm,
    // INVALID: `fields` names what is wrong, such as `definition.rules.2`
    errors: ['STALE', 'INVALID', 'SLUG_TAKEN'],
  }),
  switchForm: endpoint({
    method: 'PATCH',
    path: '/api/routing/forms/{id}',
    auth: 'user',
    summary: 'Turn a routing form on or off',
    params: formParams,
    body: z.strictObject({ active: z.boolean() }),
    output: oneForm,
  }),
  deleteForm: endpoint({
    method: 'DELETE',
    path: '/api/routing/forms/{id}',
    auth: 'user',
    summary: 'Delete a routing form. Its submissions are kept for 30 days',
    params: formParams,
    output: z.void(),
  }),
  restoreForm: endpoint({
    method: 'POST',
    path: '/api/routing/forms/{id}/restore',
    auth: 'user',
    summary: 'Undo a deletion from the last 30 days',
    params: formParams,
    output: oneForm,
    errors: ['SLUG_TAKEN', 'TOO_MANY'],
  }),
  listTargets: endpoint({
    method: 'GET',
    path: '/api/routing/targets',
    auth: 'user',
    summary: 'Event types that a form can lead to, with their hosts',
    query: z.strictObject({ team_id: z.optional(id<'team'>()) }),
    output: z.strictObject({
      targets: z.array(targetShape),
      /** Possible owners of a contact: the members of the team, or the caller. */
      people: z.array(z.strictObject({ user_id: id<'user'>(), name: z.string() })),
    }),
  }),
  testForm: endpoint({
    method: 'POST',
    path: '/api/routing/test',
    auth: 'user',
    summary: 'Test answers with a saved form or a draft. Nothing is stored',
    body: z.strictObject({
      form_id: z.optional(id<'form'>()), // or a draft:
      team_id: z.optional(id<'team'>()),
      definition: z.optional(definitionShape),
      answers: answersShape,
      /** Facts of the visitor; nothing unless given. */
      facts: z.optional(factsShape),
    }),
    bodyLimit,
    output: z.strictObject({
      /** Complaints about the answers, by question. With any, nothing is decided. */
      wrong: z.record(z.string(), z.enum(complaints)),
      decision: z.nullable(
        z.strictObject({
          rule_id: z.nullable(z.string()), // null: the fallback
          action: actionShape,
          reasons: z.array(reasonShape),
          /** Why it could not be carried out as it stands: the event type is gone or closed, or none of its hosts is left. */
          trouble: z.nullable(z.enum(troubles)),
          /** Hosts of the event type. For a round robin in their current order, as if all were free. */
          next: z.array(
            z.strictObject({
              user_id: id<'user'>(),
              name: z.string(),
              weight: z.int(),
              priority: z.int(),
              assigned: z.int(), // in the last 30 days
              calibration: z.number(), // stands for the time before they came
              share: z.number(), // (assigned + calibration) / weight: the least is next
              owner: z.boolean(), // looks after the address that was given, and goes first
            }),
          ),
        }),
      ),
    }),
    errors: ['INVALID'],
  }),
};
