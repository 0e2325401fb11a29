import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { explainFigure } from './explain-figure.ts';
import { type DataOf, loadPanel } from './load-panel.ts';
import type { Asked } from './read-question.ts';
import type { Explanation } from './rules/explanation.ts';
import type { Panel } from './rules/measures.ts';
import { showRange } from './show-range.ts';

export interface Shown<Data> {
  data: Data;
  range: ReturnType<typeof showRange>;
  explain?: Explanation;
}

/** One panel as its call gives it. *Errors*: as `readQuestion`. */
export async function showPanel<P extends Panel>(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  actor: { userId: UserId },
  panel: P,
  asked: Asked,
): Promise<Shown<DataOf<P>>> {
  const { figures, figure } = await loadPanel(app, actor, panel, asked);
  const { question } = figures;
  return {
    data: figure.data,
    range: showRange(question),
    ...(question.explain ? { explain: await explainFigure(figures, panel, figure) } : {}),
  };
}
