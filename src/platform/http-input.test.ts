import { afterEach, expect, test, vi } from 'vitest';
import { parseJson } from './http-input.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const refusalOf = (text: string, most = 20_000) => {
  try {
    parseJson(bytes(text), most);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

afterEach(() => vi.restoreAllMocks());

test('a JSON body is parsed by one plain call of JSON.parse', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const text = JSON.stringify({ list: Array.from({ length: 5_000 }, (_, at) => at), text: '"'.repeat(1_000) });
  parseJson(bytes(text), 20_000);
  // a reviver would be called for each of 5,003 values
  expect(parse.mock.calls).toEqual([[text]]);
});

test('a JSON body with too many values is refused before it is parsed', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const bombs = [
    `[${'0,'.repeat(2_000_000)}0]`,
    `[${'"",'.repeat(1_000_000)}""]`,
    `[${'{},'.repeat(1_000_000)}{}]`,
    `{${'"k":0,'.repeat(600_000)}"k":0}`,
    '['.repeat(4_000_000),
  ];
  for (const bomb of bombs) expect(['TOO_LARGE', 'INVALID_INPUT'], bomb.slice(0, 9)).toContain(refusalOf(bomb));
  expect(parse).not.toHaveBeenCalled();
});

test('the number of values in a JSON body is limited, however they are nested', () => {
  for (const five of ['[1,2,3,4]', '[[[[0]]]]', '{"a":1,"b":[2,3]}', '[{"a":1},2,3]']) {
    expect([refusalOf(five, 5), refusalOf(five, 4)], five).toEqual([null, 'TOO_LARGE']);
  }
  // commas, colons and brackets inside of strings are none
  expect(refusalOf(JSON.stringify({ 'a,[{:"\\': 'b,:{["\\\\' }), 2)).toBe(null);
});

test('a repeated key and a dangerous key are refused at any depth and in any spelling', () => {
  for (const wrong of [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":1}',
    '[0,{"b":{"a":1 , "a"\n:\t2}}]',
    '{"__proto__":{}}',
    '{"a":[{"\\u005f_proto__":null}]}',
    '{"a":"\\"","a":2}',
    '{"a\\\\":1,"a\\\\":2}',
  ]) {
    expect(refusalOf(wrong), wrong).toBe('INVALID_INPUT');
  }
  for (const right of [
    '{"a":{"a":{"a":"a"}}}',
    '["a","a",{"b":"a"}]',
    '{"a":"\\",\\"a\\":1","b":"__proto__"}',
    '{"constructor":1,"prototype":2,"":3}',
    '{"1":0,"b":":","c":["__proto__:"]}',
  ]) {
    expect(parseJson(bytes(right), 20_000), right).toEqual(JSON.parse(right));
  }
});
