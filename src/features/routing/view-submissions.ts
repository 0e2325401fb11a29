import { listHosts } from '#features/accounts/public.ts';
import { listRouted } from '#features/booking/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { routingContract } from './contract.ts';
import { noFacts } from './rules/fact.ts';
import { type KeptDecision, nameOwners } from './rules/kept-decision.ts';
import { toReasonView } from './rules/reason-view.ts';
import type { Submission } from './store/submission-rows.ts';

type View = Output<typeof routingContract.readSubmission>['submission'];

/**
 * Submissions with what was booked since; four queries. An administrator in a person's place gets no addresses of guests'
 * links: they would stay usable afterwards.
 */
export async function viewSubmissions(
  app: Pick<App, 'db' | 'clock' | 'config' | 'keyring'>,
  { impersonation }: Actor,
  rows: readonly Submission[],
): Promise<View[]> {
  const { urls, bookings } = await listRouted(
    app,
    rows.flatMap(({ linkId }) => linkId ?? []),
  );
  const people = await listHosts(app.db, [
    ...new Set([
      ...rows.flatMap(({ decision, deeds }) => [
        ...(decision.hostIds ?? []),
        ...ownersIn(decision),
        ...deeds.flatMap(({ actorId }) => actorId ?? []),
      ]),
      ...[...bookings.values()].flatMap(({ hostIds }) => hostIds),
    ]),
  ]);
  const name = (ids: readonly UserId[]) =>
    ids.flatMap((id) => {
      const host = people.get(id);
      return host === undefined ? [] : [{ user_id: id, name: host.name }];
    });
  const ownerName = (id: string) => people.get(id as UserId)?.name ?? 'somebody who is gone';
  return rows.map((row) => {
    const { decision, linkId } = row;
    const { contact, ...facts } = decision.facts ?? noFacts;
    const booked = linkId === null ? undefined : bookings.get(linkId);
    return {
      id: row.id,
      form_id: row.formId,
      revision: row.revision,
      at: row.createdMs,
      name: row.name,
      email: row.email,
      phone: row.phone,
      answers: row.said,
      known: {
        ...facts,
        contact: contact && { ...contact, owner: contact.owner === null ? null : ownerName(contact.owner) },
      },
      rule_id: decision.ruleId,
      rule_name: decision.ruleName,
      reasons: decision.reasons.map((reason) => ({
        ...toReasonView(reason),
        rule_name: reason.ruleName,
        match: reason.match,
        conditions: reason.conditions.map((said) => nameOwners(said, ownerName)),
      })),
      action: decision.action,
      trouble: decision.trouble,
      leads_to: decision.leadsTo,
      hosts: name(decision.hostIds ?? []),
      link_url: (linkId === null || impersonation !== null ? undefined : urls.get(linkId)) ?? null,
      booking:
        booked === undefined
          ? null
          : {
              booking_id: booked.bookingId,
              state: booked.state,
              sequence: booked.sequence,
              start_time: booked.startMs,
              end_time: booked.endMs,
              hosts: name(booked.hostIds),
            },
      sequence: row.sequence,
      deeds: row.deeds.map(({ atMs, actorId, kind, was, became }) => ({
        at: atMs,
        by: (actorId === null ? undefined : people.get(actorId)?.name) ?? null,
        kind,
        from: was,
        to: became,
      })),
      may_reroute: true,
    };
  });
}

/** Everybody whom a decision names as looking after the contact, or who did. */
function ownersIn({ reasons, facts }: KeptDecision): UserId[] {
  const named: string[] = [];
  for (const said of reasons.flatMap(({ conditions }) => conditions)) nameOwners(said, (id) => `${named.push(id)}`);
  return [...named, facts?.contact?.owner ?? ''].filter((id) => /^[0-9a-f-]{36}$/.test(id)) as UserId[];
}
