import { isSuspended } from '#features/accounts/public.ts';
import { findHandle } from '#features/booking/public.ts';
import type { App } from '#platform/app.ts';
import { homeOf } from '#platform/brand.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { findFormAt } from './find-form-at.ts';
import { sayNotice } from './say-notice.ts';
import { sendForm } from './send-form.ts';
import { showFormPage } from './show-form-page.ts';

/** The page of a form, `/{handle}/forms/{slug}`, and what is sent by it. */
export async function visitForm(app: App, call: PageCall): Promise<PageAnswer | null> {
  const found = await findFormAt(app, call);
  if (found === null) {
    if (!call.wantsHtml && call.method !== 'POST') return null;
    const owner = await findHandle(app.db, call.params.handle?.toLowerCase() ?? '');
    const rests = owner?.userId != null && (await isSuspended(app.db, owner.userId));
    return rests
      ? sayNotice(call, 'away')
      : sayNotice(call, 'nobody', { status: 404, home: homeOf(app.brand.current()) });
  }
  const { form, host, path } = found;
  if (!form.active) return sayNotice(call, 'paused', { values: { host: host.name }, frames: form.definition.frames });
  if (call.method === 'POST') return sendForm(app, call, found);
  // an old handle, or capitals: one address for each page
  if (path !== `/${call.params.handle}/forms/${call.params.slug}`) {
    const query = call.query.toString();
    return { kind: 'go', to: query === '' ? path : `${path}?${query}` };
  }
  return showFormPage(app, call, found);
}
