import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { judgeColor } from '#kernel/brand-scale.ts';
import { renderMail } from '#platform/mail-layout.ts';
import { lookOfMail } from '#platform/mail-look.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { adminContract } from './contract.ts';

const why = 'a test asks for it';
const untouched = { name: null, color: null, logo: null, darkLogo: null };

let server: TestApp;
let admin: TestUser;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  admin = await signUpUser(server, 'admin@example.org');
  await sql`update accounts.users set role = 'admin' where id = ${admin.userId}`.execute(server.app.db);
  await sql`update accounts.settings set require_admin_mfa = false`.execute(server.app.db);
});
afterAll(() => server.close());
afterEach(() => api().changeBranding({ body: { ...untouched, reason: why } }));

const api = () => admin.as(adminContract);
const wide = await sharp({ create: { width: 1200, height: 200, channels: 4, background: '#1f6feb80' } })
  .withExif({ IFD0: { Copyright: 'canary-copyright' } })
  .png()
  .toBuffer();
const draw = (payload: Buffer | string, type = 'image/png') =>
  server.inject({
    method: 'POST',
    url: '/api/admin/branding/pictures',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': type },
    payload,
  });

test('a logo is re-encoded at a bounded size, served publicly, and used once the branding names it', async () => {
  const answer = await draw(wide);
  expect(answer.statusCode).toBe(200);
  const drawn = answer.json();
  expect(drawn).toMatchObject({ width: 480, height: 80, url: `/brand/${drawn.file}.png` });
  const served = await server.inject({ url: drawn.url });
  expect(served.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: 'png', width: 480, height: 80 });
  expect(served.rawPayload.includes('canary-copyright')).toBe(false);
  const icon = await server.inject({ url: drawn.url.replace('.png', '-icon.png') });
  expect(await sharp(icon.rawPayload).metadata()).toMatchObject({ format: 'png', width: 512, height: 512 });
  expect((await api().readBranding()).logo).toBeNull();
  expect((await api().changeBranding({ body: { ...untouched, logo: drawn.file, reason: why } })).logo).toMatchObject({
    file: drawn.file,
  });
});

test('an invalid logo, a decompression bomb, an SVG and invalid branding values are refused without a change', async () => {
  const bomb = await sharp({ create: { width: 5000, height: 5000, channels: 3, background: '#fff' } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const [answer, status, code] of [
    [await draw(svg), 400, 'PICTURE_TYPE'],
    [await draw(svg, 'image/svg+xml'), 415, 'UNSUPPORTED_TYPE'],
    [await draw(bomb), 400, 'PICTURE_SIZE'],
    [await draw(wide.subarray(0, 60)), 400, 'PICTURE_TYPE'],
    [await draw(Buffer.alloc(2 * 1024 * 1024 + 1)), 413, 'TOO_LARGE'],
  ] as const) {
    expect(answer.statusCode, code).toBe(status);
    expect(answer.json().detail.code).toBe(code);
  }
  const put = (body: object) =>
    server.inject({
      method: 'PUT',
      url: '/api/admin/branding',
      headers: { authorization: `Bearer ${admin.token}` },
      payload: { ...untouched, reason: why, ...body },
    });
  expect((await put({ logo: 'a'.repeat(32) })).json().detail.code).toBe('NO_PICTURE');
  for (const body of [
    { color: '#FFF' },
    { color: 'red' },
    { color: '#12345g' },
    { color: '#123456;}body{display:none' },
    { color: 'url(//evil.example)' },
    { name: '<script>' },
    { name: '{{secret}}' },
    { name: '$t(shell.product)' },
    { name: '   ' },
    { name: 'a\nb' },
    { name: 'x'.repeat(41) },
    { logo: '../../etc/passwd' },
    { reason: 'no' },
  ])
    expect((await put(body)).statusCode, JSON.stringify(body)).toBe(400);
  for (const file of ['x.png', '..%2f..%2fpackage.json', `${'a'.repeat(32)}.svg`, `${'a'.repeat(32)}.png`])
    expect((await server.inject({ url: `/brand/${file}` })).statusCode, file).toBe(404);
  expect(await api().readBranding()).toEqual(untouched);
});

test('a branding change enters the audit log with its reason, and omitted values return to the default', async () => {
  await api().changeBranding({ body: { ...untouched, name: '  Smith  & Sons ', color: '#1f6feb', reason: why } });
  expect(await api().readBranding()).toEqual({ ...untouched, name: 'Smith & Sons', color: '#1f6feb' });
  const { rows } = await sql<{ reason: string; details: object }>`
    select reason, details from accounts.audit where action = 'branding_change' order by position desc limit 1`.execute(
    server.app.db,
  );
  expect(rows).toEqual([
    { reason: why, details: { name: 'Smith & Sons', color: '#1f6feb', logo: false, darkLogo: false } },
  ]);
  await api().changeBranding({ body: { ...untouched, name: 'Holdfast', reason: why } });
  expect(await api().readBranding()).toEqual(untouched);
});

test('mails carry the name, color and logo of the branding', async () => {
  const { file } = (await draw(wide)).json();
  await api().changeBranding({
    body: { name: 'Acme "Time"', color: '#00695c', logo: file, darkLogo: null, reason: why },
  });
  const { look, from, picture } = lookOfMail(server.app.brand.current(), {
    name: 'Holdfast',
    address: 'no-reply@example.org',
  });
  expect(from).toEqual({ name: 'Acme "Time"', address: 'no-reply@example.org' });
  expect(picture?.bytes.byteLength).toBeGreaterThan(50);
  const { html } = renderMail(
    {
      locale: 'en',
      content: { subject: 'S', heading: 'H', blocks: [{ button: { label: 'Go', url: 'https://a.example' } }] },
    },
    look,
  );
  expect(html).toContain(`background:${judgeColor('#00695c').accent}`);
  expect(html).toContain('<img src="cid:logo" alt="Acme &quot;Time&quot;" width="168" height="28"');
  expect(html).not.toContain('Holdfast');
  // a name the operator gave where mail is set up is what they want there
  expect(lookOfMail(server.app.brand.current(), { name: 'Front desk', address: 'a@b.example' }).from.name).toBe(
    'Front desk',
  );
});
