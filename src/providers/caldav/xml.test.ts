import { describe, expect, it } from 'vitest';
import { type DavResponse, readConditions, readMultistatus, type XmlBody } from './xml.ts';

async function read(body: XmlBody): Promise<{ responses: DavResponse[]; syncToken: string | null }> {
  const responses: DavResponse[] = [];
  const { syncToken } = await readMultistatus(body, (response) => responses.push(response));
  return { responses, syncToken };
}

const wrap = (inner: string, attributes = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"') =>
  `<?xml version="1.0"?><d:multistatus ${attributes}>${inner}</d:multistatus>`;

const object = (data: string) =>
  wrap(
    `<d:response><d:href>/a/x.ics</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag><c:calendar-data>${data}` +
      '</c:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>',
  );

const dataIn = (responses: DavResponse[]) => responses[0]?.props.get('c:calendar-data')?.text;

/** One byte at a time: every character and tag is cut somewhere. */
async function* dripped(text: string): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(text)) {
    await Promise.resolve();
    yield Uint8Array.of(byte);
  }
}

describe('a multistatus', () => {
  it('is read the same whatever prefixes the server chose', async () => {
    const plain =
      '<multistatus xmlns="DAV:"><response><href>/a/</href><status>HTTP/1.1 404 Not Found</status></response></multistatus>';
    const odd =
      '<x1:multistatus xmlns:x1="DAV:"><x1:response><x1:href>/a/</x1:href><x1:status>HTTP/1.1 404</x1:status></x1:response></x1:multistatus>';
    for (const text of [plain, odd]) {
      expect((await read(text)).responses).toMatchObject([{ href: '/a/', status: 404 }]);
    }
  });

  it('gives the same from a stream cut at every byte', async () => {
    const text = wrap(
      '<d:response><d:href>/a/ü.ics</d:href><d:propstat><d:prop><c:calendar-data>Zoë 🗓 &amp; &#x20AC;</c:calendar-data>' +
        '</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response><d:sync-token>t:1</d:sync-token>',
    );
    expect(await read(dripped(text))).toEqual(await read(text));
    expect(dataIn((await read(dripped(text))).responses)).toBe('Zoë 🗓 & €');
  });

  it('holds a value under a 404 propstat for missing, not for empty', async () => {
    const { responses } = await read(
      wrap(
        '<d:response><d:href>/a/</d:href><d:propstat><d:prop><d:displayname/></d:prop><d:status>HTTP/1.1 404 Not Found' +
          '</d:status></d:propstat><d:propstat><d:prop><d:getetag>"7"</d:getetag></d:prop><d:status>HTTP/1.1 200 OK' +
          '</d:status></d:propstat></d:response>',
      ),
    );
    expect([...(responses[0]?.props.keys() ?? [])]).toEqual(['d:getetag']);
  });

  it('keeps the status apart from the property order: a propstat may put it first', async () => {
    const { responses } = await read(
      wrap(
        '<d:response><d:href>/a/</d:href><d:propstat><d:status>HTTP/1.1 403 Forbidden</d:status><d:prop><d:getetag>"7"' +
          '</d:getetag></d:prop></d:propstat></d:response>',
      ),
    );
    expect(responses[0]?.props.size).toBe(0);
    expect(responses[0]?.answered).toBe(true);
  });

  it.each([
    ['a byte order mark', '\uFEFF'],
    ['blank lines', '\n \r\n'],
  ])('is read after %s', async (_, before) => {
    expect((await read(before + object('x'))).responses).toHaveLength(1);
    expect((await read(dripped(before + object('x')))).responses).toHaveLength(1);
  });

  it('takes calendar data as CDATA, with a byte order mark, and with entities', async () => {
    expect(dataIn((await read(object('<![CDATA[A & B]]>'))).responses)).toBe('A & B');
    expect(dataIn((await read(object('\uFEFFBEGIN:VCALENDAR'))).responses)).toBe('\uFEFFBEGIN:VCALENDAR');
    expect(dataIn((await read(object('a&#13;\nb&lt;c'))).responses)).toBe('a\r\nb<c');
  });

  it('survives control characters and HTML entities in one old event', async () => {
    const { responses } = await read(object('Title \u000B with &nbsp; dirt'));
    expect(dataIn(responses)).toContain('with');
  });

  it('reads the component names of a calendar from their attribute', async () => {
    const { responses } = await read(
      wrap(
        '<d:response><d:href>/a/</d:href><d:propstat><d:prop><c:supported-calendar-component-set><c:comp name="VTODO"/>' +
          '</c:supported-calendar-component-set></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>',
      ),
    );
    expect(responses[0]?.props.get('c:supported-calendar-component-set')?.children[0]?.label).toBe('VTODO');
  });
});

describe('an answer that is refused', () => {
  const bomb =
    '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>' +
    '<d:multistatus xmlns:d="DAV:">&c;&c;&c;</d:multistatus>';
  const external = '<!DOCTYPE d SYSTEM "file:///etc/passwd"><d:multistatus xmlns:d="DAV:"/>';
  it.each([
    ['an entity bomb', bomb, 'BAD_ANSWER'],
    ['an external document type', external, 'BAD_ANSWER'],
    ['a bottomless nesting', wrap('<d:a>'.repeat(100_000)), 'BAD_ANSWER'],
    ['one cut off in the middle', object('x').slice(0, -30), 'BAD_ANSWER'],
    ['one with crossed tags', wrap('<d:response></d:href>'), 'BAD_ANSWER'],
    ['nothing at all', '  ', 'BAD_ANSWER'],
    ['JSON', '{"error":"no"}', 'BAD_ANSWER'],
    ['a sign-in page', '<!DOCTYPE html><html><body>Sign in</body></html>', 'LOGIN_PAGE'],
    ['a sign-in page without a document type', '<html><body>Sign in</body></html>', 'LOGIN_PAGE'],
    ['XHTML', '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>', 'LOGIN_PAGE'],
    ['a feed', '<rss version="2.0"><channel/></rss>', 'NOT_CALDAV'],
  ])('%s', async (_, text, code) => {
    const startedAt = performance.now();
    const refused = await read(text).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'ProviderError', kind: 'transient', code });
    expect((refused as Error).message).toMatch(/^The (?:server|address)/);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it('never reaches the reader in part as if it were whole', async () => {
    const seen: string[] = [];
    const cut = wrap('<d:response><d:href>/a/1.ics</d:href></d:response><d:response><d:href>/a/2');
    await expect(
      readMultistatus(cut.replace('</d:multistatus>', ''), (response) => seen.push(response.href)),
    ).rejects.toMatchObject({
      code: 'BAD_ANSWER',
    });
    expect(seen).toEqual(['/a/1.ics']);
  });
});

describe('an error body', () => {
  it('names its preconditions, in the namespace SOGo thinks of too', async () => {
    const standard =
      '<d:error xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><c:no-uid-conflict><d:href>/a</d:href></c:no-uid-conflict></d:error>';
    expect(await readConditions(standard)).toEqual(['c:no-uid-conflict']);
    expect(await readConditions('<d:error xmlns:d="DAV"><d:valid-sync-token/></d:error>')).toEqual([
      'd:valid-sync-token',
    ]);
  });

  it.each(['', 'Forbidden', '<html><h1>403</h1></html>', '<broken'])(
    'that is something else names none: %j',
    async (text) => {
      expect(await readConditions(text)).toEqual([]);
    },
  );
});
