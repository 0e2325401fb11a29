import type { PublicType } from '../find-public-type.ts';
import type { ShownHost } from '../rules/visit-data.ts';

/** What strangers may know of a host. */
export function showHost({ host, handle }: Pick<PublicType, 'host' | 'handle'>): ShownHost {
  return { name: host.name, avatarUrl: host.avatarUrl, path: handle === null ? null : `/${handle}` };
}
