import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberRef, openCollection, versionOf } from './collection.ts';
import { pathOf, refOf } from './href.ts';

describe('refs of hrefs', () => {
  it.each([
    ['/a/we%20ird%40x.ics', '/a/we ird@x.ics'],
    ['/a/we%20ird@x.ics', '/a/we ird@x.ics'],
    ['https://cal.example/a/x.ics', '/a/x.ics'],
    ['http%3A//cal.example/a/x.ics', '/a/x.ics'],
    ['//a/x.ics', '/a/x.ics'],
    ['x.ics', '/base/x.ics'],
    ['/a/%C3%BC.ics', '/a/ü.ics'],
    ['/a/%fc.ics', '/a/%FC.ics'],
    ['/a/one%2ftwo.ics', '/a/one%2Ftwo.ics'],
    ['/a/100%25.ics', '/a/100%25.ics'],
    ['/a/x.ics?token=1#top', '/a/x.ics'],
  ])('the href %s has the ref %s', (href, ref) => {
    expect(refOf(href, '/base/')).toBe(ref);
  });

  it.each(['', '/a/../b/x.ics', '/a/%2e%2e/b/x.ics', '/a/./x.ics', '../x.ics'])('the href %j has no ref', (href) => {
    expect(refOf(href, '/base/')).toBeNull();
  });

  it('a ref sent back to the server gives the same ref for any name', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }), (names) => {
        const href = `/${names.map((name) => encodeURIComponent(name.toWellFormed())).join('/')}`;
        const ref = refOf(href, '/');
        fc.pre(ref !== null);
        expect(refOf(pathOf(ref ?? ''), '/')).toBe(ref);
        // And the server sees the very bytes it named.
        expect(decodeURIComponent(pathOf(ref ?? ''))).toBe(decodeURIComponent(href));
      }),
    );
  });
});

describe('collections', () => {
  const collection = openCollection('/alice/my work/', 'https://cal.example');

  it('a collection is requested at its encoded URL', () => {
    expect(collection.url).toBe('https://cal.example/alice/my%20work/');
  });

  it('a collection on another host keeps that host', () => {
    expect(openCollection('https://p42-caldav.icloud.com/1/calendars/home', 'https://caldav.icloud.com')).toEqual({
      origin: 'https://p42-caldav.icloud.com',
      ref: '/1/calendars/home/',
      url: 'https://p42-caldav.icloud.com/1/calendars/home/',
    });
  });

  it.each([
    ['/alice/my%20work/x.ics', '/alice/my work/x.ics'],
    ['https://cal.example/alice/my%20work/x.ics', '/alice/my work/x.ics'],
    ['/alice/my%20work/', null],
    ['/alice/my%20work', null],
    ['/alice/my%20work/inner/', null],
    ['/alice/other/x.ics', null],
    ['/alice/my%20work/../other/x.ics', null],
  ])('the href %s is read as the collection member %s', (href, ref) => {
    expect(memberRef(collection, href)).toBe(ref);
  });
});

describe('versions', () => {
  it.each([
    ['"abc"', '"abc"'],
    ['W/"abc"', '"abc"'],
    ['"abc-gzip"', '"abc"'],
    [' "abc" ', '"abc"'],
    ['abc', 'abc'],
  ])('the ETag %s is read as the version %s', (etag, version) => {
    expect(versionOf(etag)).toBe(version);
  });
});
