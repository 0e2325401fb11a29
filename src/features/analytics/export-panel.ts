import { Buffer } from 'node:buffer';
import type { FileAnswer } from '#kernel/codecs.ts';
import { csvRow } from '#kernel/csv.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { explainFigure } from './explain-figure.ts';
import { loadPanel } from './load-panel.ts';
import type { Asked } from './read-question.ts';
import type { Panel } from './rules/measures.ts';
import { tableOf } from './rules/table-of.ts';
import { showRange } from './show-range.ts';

/** More rows than a spreadsheet takes well are no table any more. */
const mostFileRows = 100_000;
const rowColumns = ['Kind', 'Id', 'Title', 'With', 'At', 'Part', 'Numerator', 'Denominator'];

/** The figures of a panel as they are drawn, or what they are made of. *Errors*: as `readQuestion`. */
export async function exportPanel(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  actor: { userId: UserId },
  { panel, rows, ...asked }: Asked & { panel: Panel; rows?: '1' | undefined },
): Promise<FileAnswer> {
  const { figures, figure } = await loadPanel(app, actor, panel, { ...asked, explain: rows });
  const { from, to } = showRange(figures.question);
  const lines =
    rows === undefined
      ? tableOf(figure.data)
      : [
          rowColumns,
          ...(await explainFigure(figures, panel, figure, mostFileRows)).rows.map((row) => [
            row.kind,
            row.id,
            row.title ?? '',
            row.with ?? '',
            row.at ?? '',
            row.part,
            row.numerator,
            row.denominator,
          ]),
        ];
  // Excel takes a file for UTF-8 only where it begins so
  const bytes = Buffer.from(`\uFEFF${lines.map(csvRow).join('')}`);
  return {
    name: `${panel}${rows === undefined ? '' : '-rows'}-${from}-${to}.csv`,
    sizeBytes: bytes.byteLength,
    chunks: (async function* () {
      yield bytes;
    })(),
  };
}
