import * as z from 'zod/mini';
import { reason } from '#features/accounts/rules/audit.ts';
import { fileBytes, line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

const pictureShape = z.object({ file: z.string(), url: z.string(), width: z.int(), height: z.int() });
const file = z.string().check(z.regex(/^[a-z0-9]{32}$/));
/** No sign that templates of texts or of pages could take for theirs. */
export const productName = line(40).check(
  z.refine((typed: string) => /[\p{L}\p{N}]/u.test(typed) && !/[<>{}$\\\p{C}]/u.test(typed), {
    error: 'A name has a letter or digit, and no < > { } $ or \\',
  }),
);
export const brandColor = z.string().check(z.regex(/^#[0-9a-f]{6}$/));

const brandingShape = z.object({
  /** Null of each is as Holdfast itself has it. */
  name: z.nullable(z.string()),
  color: z.nullable(z.string()),
  logo: z.nullable(pictureShape),
  darkLogo: z.nullable(pictureShape),
});

export const brandingEndpoints = {
  readBranding: endpoint({
    method: 'GET',
    path: '/api/admin/branding',
    auth: 'admin',
    summary: 'Name and look of this installation. Null means the default',
    output: brandingShape,
  }),
  changeBranding: endpoint({
    method: 'PUT',
    path: '/api/admin/branding',
    auth: 'admin',
    summary: 'Change the name and look of this installation. Every process shows it within seconds',
    body: z.strictObject({
      name: z.nullable(productName),
      color: z.nullable(brandColor),
      logo: z.nullable(file),
      darkLogo: z.nullable(file),
      reason,
    }),
    output: brandingShape,
    errors: ['NO_PICTURE'],
  }),
  drawLogo: endpoint({
    method: 'POST',
    path: '/api/admin/branding/pictures',
    auth: 'admin',
    summary: 'Upload a logo (PNG, JPEG, WebP, or GIF, at most 2 MB). It is used once the branding names it',
    takesFile: ['application/octet-stream', 'image/png', 'image/jpeg', 'image/webp', 'image/gif'],
    bodyLimit: 2 * 1024 * 1024,
    body: fileBytes,
    output: pictureShape,
    errors: ['PICTURE_TYPE', 'PICTURE_SIZE', 'PICTURE_BROKEN'],
  }),
};
