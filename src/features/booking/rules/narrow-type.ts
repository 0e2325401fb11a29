import type { UserId } from '#kernel/ids.ts';
import type { TypeHost } from './type-hosts.ts';
import type { TypeSettings } from './type-settings.ts';

interface Narrowed {
  hosts: readonly TypeHost[];
  settings: TypeSettings;
}

/**
 * An event type as a form led somebody to it: with some of its hosts alone, or with who looks after them first. Where none
 * of those hosts is left it is booked with all of them: somebody has to be there.
 */
export function narrowType<Type extends Narrowed>(
  type: Type,
  led: { hostIds: readonly UserId[] | null; ownerFirst: boolean } | null,
): Type {
  if (led === null) return type;
  const some = type.hosts.filter(({ userId }) => led.hostIds?.includes(userId) ?? true);
  const hosts = some.some(({ optional }) => !optional) ? some : type.hosts;
  const { quorum, contact_owner_first: ownerFirst } = type.settings;
  const settings = {
    ...type.settings,
    quorum: quorum === null ? null : Math.min(quorum, hosts.length),
    contact_owner_first: ownerFirst || led.ownerFirst,
  };
  return { ...type, hosts, settings };
}
