import { pages as above } from '#features/booking/page/pages.tsx';
import type { FormData } from '../rules/form-page-data.ts';
import { FormPage } from './form-page.tsx';

/** The pages of this feature and of those above. */
export const pages: typeof above = { ...above, form: (data) => <FormPage data={data as FormData} /> };
