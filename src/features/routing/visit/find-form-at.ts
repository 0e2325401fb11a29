import { findHost } from '#features/accounts/public.ts';
import { findHandle } from '#features/booking/public.ts';
import { handlePattern, isReserved } from '#features/booking/rules/handle.ts';
import type { ShownHost } from '#features/booking/rules/visit-data.ts';
import { teamReading } from '#features/teams/public.ts';
import type { App } from '#platform/app.ts';
import type { PageCall } from '#platform/page-route.ts';
import { readAlone } from '#platform/reading.ts';
import type { FormOwner } from '../rules/form-owner.ts';
import { formPath } from '../rules/form-view.ts';
import { type Form, findFormAt as findRow } from '../store/form-rows.ts';

export interface FoundForm {
  form: Form & FormOwner;
  host: ShownHost;
  /** The address in use, which need not be the one that was asked for. */
  path: string;
}

/** The form at an address, for who has nothing but that; null where there is none, or nobody whose it is. */
export async function findFormAt({ db }: Pick<App, 'db'>, { params }: PageCall): Promise<FoundForm | null> {
  const [handle = '', slug = ''] = [params.handle?.toLowerCase(), params.slug?.toLowerCase()];
  if (!handlePattern.test(handle) || !handlePattern.test(slug) || isReserved(handle)) return null;
  const owner = await findHandle(db, handle);
  if (owner === null) return null;
  const ownerId = owner.teamId ?? owner.userId;
  const form = ownerId === null ? null : await findRow(db, ownerId, slug);
  if (form === null) return null;
  const shown =
    owner.teamId === null
      ? owner.userId && (await findHost(db, owner.userId))
      : await readAlone(db, teamReading(owner.teamId)).then(
          (team) => team && { name: team.name, avatarUrl: team.logoUrl },
        );
  if (!shown) return null;
  return {
    form: form as Form & FormOwner,
    host: { name: shown.name, avatarUrl: shown.avatarUrl, path: `/${owner.handle}` },
    path: formPath(owner.handle, form.slug),
  };
}
