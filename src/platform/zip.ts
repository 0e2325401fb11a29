import { Zip, ZipDeflate } from 'fflate';
import type { ExportPart } from './export-part.ts';
import { nextTurn } from './in-slices.ts';

/** Characters that are compressed at once, however long the text is that a part gives: few enough not to keep others waiting. */
const pieceChars = 64 * 1024;

/** Not between the halves of a character. */
const endOfPiece = (text: string, end: number) => (/[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end);

/**
 * A zip archive of these parts, as it grows. `onPart` is told of every part that is in it.
 * *Errors*: whatever reading a part throws.
 */
export async function* zipParts(
  parts: readonly ExportPart[],
  { mtimeMs, onPart }: { mtimeMs: number; onPart: (done: number) => Promise<void> },
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let ready: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    if (error !== null) failure = error;
    else ready.push(chunk);
  });
  const taken = () => {
    if (failure !== null) throw failure;
    const pieces = ready;
    ready = [];
    return pieces;
  };
  for (const [at, part] of parts.entries()) {
    const file = new ZipDeflate(part.path, { level: 6 });
    file.mtime = mtimeMs;
    zip.add(file);
    let text = '';
    for await (const chunk of part.chunks()) {
      text += chunk;
      if (text.length < pieceChars) continue;
      let from = 0;
      for (; text.length - from >= pieceChars; ) {
        const to = endOfPiece(text, from + pieceChars);
        file.push(encoder.encode(text.slice(from, to)));
        from = to;
        yield* taken();
        await nextTurn();
      }
      text = text.slice(from);
    }
    file.push(encoder.encode(text), true);
    yield* taken();
    await onPart(at + 1);
  }
  zip.end();
  yield* taken();
}
