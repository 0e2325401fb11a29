import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { type ExportPart, jsonPart } from './export-part.ts';
import { zipParts } from './zip.ts';

async function zipped(part: ExportPart): Promise<{ text: string; turns: number }> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const pieces: Uint8Array[] = [];
  for await (const piece of zipParts([part], { mtimeMs: Date.UTC(2027, 0, 1), onPart: async () => undefined })) {
    pieces.push(piece);
  }
  isOver = true;
  const [file = new Uint8Array()] = Object.values(unzipSync(Buffer.concat(pieces)));
  return { text: Buffer.from(file).toString(), turns };
}

test('a part that gives one text of 8 million characters is compressed in pieces with pauses', async () => {
  const whole = `${'😀'.repeat(1_999_999)}a${'😀'.repeat(2_000_000)}`;
  const part: ExportPart = {
    path: 'one.txt',
    async *chunks() {
      yield whole;
    },
  };
  const { text, turns } = await zipped(part);
  expect(text === whole).toBe(true);
  expect(turns).toBeGreaterThan(100);
});

test('a JSON part gives the text of JSON.stringify in chunks no longer than its texts', async () => {
  const value = {
    list: [1, 'two', null, undefined, { deep: [[], {}, ['x']] }],
    at: new Date(0),
    absent: undefined,
    'key "quoted"': true,
    long: Array.from({ length: 2_000 }, (_, n) => ({ n, text: 'y'.repeat(100) })),
  };
  const chunks: string[] = [];
  for await (const chunk of jsonPart('a.json', async () => value).chunks()) chunks.push(chunk);
  expect(chunks.join('')).toBe(`${JSON.stringify(value, null, 2)}\n`);
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(20_000);
});
