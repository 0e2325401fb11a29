import { describe, expect, it } from 'vitest';
import { WorkBudget } from '#kernel/work-budget.ts';
import { type DavResponse, readConditions, readMultistatus, type XmlBody } from './xml.ts';

const url = 'https://cal.example/dav/';

async function read(
  body: XmlBody,
  budget?: WorkBudget,
): Promise<{ responses: DavResponse[]; syncToken: string | null }> {
  const responses: DavResponse[] = [];
  const { syncToken } = await readMultistatus({ body, url, budget }, (response) => responses.push(response));
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

describe('multistatus', () => {
  it('a multistatus is read the same with any namespace prefixes', async () => {
    const plain =
      '<multistatus xmlns="DAV:"><response><href>/a/</href><status>HTTP/1.1 404 Not Found</status></response></multistatus>';
    const odd =
      '<x1:multistatus xmlns:x1="DAV:"><x1:response><x1:href>/a/</x1:href><x1:status>HTTP/1.1 404</x1:status></x1:response></x1:multistatus>';
    for (const text of [plain, odd]) {
      expect((await read(text)).responses).toMatchObject([{ href: '/a/', status: 404 }]);
    }
  });

  it('a multistatus is read the same from a stream cut at every byte', async () => {
    const text = wrap(
      '<d:response><d:href>/a/ü.ics</d:href><d:propstat><d:prop><c:calendar-data>Zoë 🗓 &amp; &#x20AC;</c:calendar-data>' +
        '</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response><d:sync-token>t:1</d:sync-token>',
    );
    expect(await read(dripped(text))).toEqual(await read(text));
    expect(dataIn((await read(dripped(text))).responses)).toBe('Zoë 🗓 & €');
  });

  it('a reference to a character that XML forbids is left out, and its neighbors stay', async () => {
    const { responses } = await read(object('SUMMARY:a&#x1A;b&#0;c &amp; &#x20AC;'));
    expect(dataIn(responses)).toBe('SUMMARY:abc & €');
  });

  it('a property in a 404 propstat is missing, not empty', async () => {
    const { responses } = await read(
      wrap(
        '<d:response><d:href>/a/</d:href><d:propstat><d:prop><d:displayname/></d:prop><d:status>HTTP/1.1 404 Not Found' +
          '</d:status></d:propstat><d:propstat><d:prop><d:getetag>"7"</d:getetag></d:prop><d:status>HTTP/1.1 200 OK' +
          '</d:status></d:propstat></d:response>',
      ),
    );
    expect([...(responses[0]?.props.keys() ?? [])]).toEqual(['d:getetag']);
  });

  it('a propstat may have its status before its properties', async () => {
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
  ])('a multistatus is read after %s', async (_, before) => {
    expect((await read(before + object('x'))).responses).toHaveLength(1);
    expect((await read(dripped(before + object('x')))).responses).toHaveLength(1);
  });

  it('calendar data may be CDATA, begin with a byte order mark and contain entities', async () => {
    expect(dataIn((await read(object('<![CDATA[A & B]]>'))).responses)).toBe('A & B');
    expect(dataIn((await read(object('\uFEFFBEGIN:VCALENDAR'))).responses)).toBe('\uFEFFBEGIN:VCALENDAR');
    expect(dataIn((await read(object('a&#13;\nb&lt;c'))).responses)).toBe('a\r\nb<c');
  });

  it('calendar data may contain control characters and HTML entities', async () => {
    const { responses } = await read(object('Title \u000B with &nbsp; dirt'));
    expect(dataIn(responses)).toContain('with');
  });

  it('the components of a calendar are read from their name attribute', async () => {
    const { responses } = await read(
      wrap(
        '<d:response><d:href>/a/</d:href><d:propstat><d:prop><c:supported-calendar-component-set><c:comp name="VTODO"/>' +
          '</c:supported-calendar-component-set></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>',
      ),
    );
    expect(responses[0]?.props.get('c:supported-calendar-component-set')?.children[0]?.label).toBe('VTODO');
  });
});

describe('refused multistatus responses', () => {
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
  ])('a multistatus response is refused: %s', async (_, text, code) => {
    const refused = await read(text).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'ProviderError', kind: 'transient', code });
    expect((refused as Error).message).toMatch(/^(?:We couldn't read the server's|The server|This address)/);
  });

  it('a multistatus cut off in the middle gives its complete responses and then fails', async () => {
    const seen: string[] = [];
    const cut = wrap('<d:response><d:href>/a/1.ics</d:href></d:response><d:response><d:href>/a/2');
    const body = cut.replace('</d:multistatus>', '');
    await expect(readMultistatus({ body, url }, (response) => seen.push(response.href))).rejects.toMatchObject({
      code: 'BAD_ANSWER',
    });
    expect(seen).toEqual(['/a/1.ics']);
  });
});

/** In pieces as they come from a socket. */
async function* streamed(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += 16_384) {
    await Promise.resolve();
    yield bytes.subarray(from, from + 16_384);
  }
}

describe('multistatus responses that take too much work', () => {
  const inOne = (inner: string) => wrap(`<d:response><d:href>/a/</d:href>${inner}</d:response>`);
  const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}=""`).join(' ');
  it.each([
    ['a tag with 1,000 attributes', inOne(`<d:a ${attributes(1_000)}/>`)],
    [
      'a tag with 1,000 namespaces',
      inOne(`<d:a ${attributes(1_000).replaceAll('a', 'xmlns:a').replaceAll('""', '"u"')}/>`),
    ],
    ['a response with 20,000 elements', inOne('<d:a/>'.repeat(20_000))],
    ['a response with 20,000 addresses', inOne('<d:href>mailto:a@x.example</d:href>'.repeat(20_000))],
    ['20,000 control characters', inOne(`<d:a>${'\u0001'.repeat(20_000)}</d:a>`)],
    ['20,000 references to unknown entities', inOne(`<d:a>${'&x;'.repeat(20_000)}</d:a>`)],
    ['20,000 references to forbidden characters', inOne(`<d:a>${'&#1;'.repeat(20_000)}</d:a>`)],
    ['a comment of 2 MB', inOne(`<!--${'x'.repeat(2_000_000)}-->`)],
    ['a value of 2 MB', inOne(`<d:a b="${'x'.repeat(2_000_000)}"/>`)],
    ['responses with 500,000 elements', wrap(`<d:response>${'<d:a/>'.repeat(4_900)}</d:response>`.repeat(103))],
  ])('a multistatus response that takes too much work is refused: %s', async (_, text) => {
    for (const body of [text, streamed(text)]) {
      await expect(read(body)).rejects.toMatchObject({ name: 'ProviderError', kind: 'transient', code: 'TOO_LARGE' });
    }
  });

  it('a listing of 35,000 objects and a text of 1.4 MB are read', async () => {
    const one =
      '<d:response><d:href>/a/x.ics</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag><d:resourcetype/></d:prop>' +
      '<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>';
    expect((await read(streamed(wrap(one.repeat(35_000))))).responses).toHaveLength(35_000);
    expect(dataIn((await read(streamed(object('x'.repeat(1_400_000))))).responses)).toHaveLength(1_400_000);
  });

  it('the parsing of a long response counts against its budget, and others have their turn meanwhile', async () => {
    const text = wrap('<d:response><d:href>/a/x.ics</d:href></d:response>'.repeat(100_000));
    const limits = { bytes: 0, steps: 0, instances: 0 };
    for (const body of [text, streamed(text)]) {
      const spent = read(body, new WorkBudget({ ...limits, milliseconds: 1 }));
      await expect(spent).rejects.toMatchObject({ name: 'WorkLimitError', limit: 'milliseconds' });
    }
    let turns = 0;
    let done = false;
    const turn = () => {
      turns += 1;
      if (!done) setImmediate(turn);
    };
    turn();
    await read(text);
    done = true;
    expect(turns).toBeGreaterThan(2);
  });

  it('a malformed response is refused without its text in the log', async () => {
    const refused = await read(inOne(`<${'x'.repeat(100_000)}:a/>`)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'BAD_ANSWER' });
    expect(((refused as Error).cause as Error).message.length).toBeLessThanOrEqual(200);
  });
});

describe('error bodies', () => {
  const conditionsOf = (body: string) => readConditions({ body, url });

  it('an error body with 20,000 control characters is not read to its end', async () => {
    const text = `<d:error xmlns:d="DAV:"><d:a>${'\u0001'.repeat(20_000)}</d:a><d:valid-sync-token/></d:error>`;
    expect(await conditionsOf(text)).toEqual([]);
  });

  it("an error body names its preconditions, also in SOGo's namespace", async () => {
    const standard =
      '<d:error xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><c:no-uid-conflict><d:href>/a</d:href></c:no-uid-conflict></d:error>';
    expect(await conditionsOf(standard)).toEqual(['c:no-uid-conflict']);
    expect(await conditionsOf('<d:error xmlns:d="DAV"><d:valid-sync-token/></d:error>')).toEqual([
      'd:valid-sync-token',
    ]);
  });

  it.each(['', 'Forbidden', '<html><h1>403</h1></html>', '<broken'])(
    'an error body of another kind names no precondition: %j',
    async (text) => {
      expect(await conditionsOf(text)).toEqual([]);
    },
  );
});
