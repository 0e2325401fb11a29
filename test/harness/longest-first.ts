import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readDurations } from './durations.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Project by project, because a worker is kept only for files of the same project. Within one, the longest file starts first, so
 * that no worker is left with it at the end. A file without a recorded duration counts as long.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = readDurations();
    const order = ({ project }: TestSpecification) => this.ctx.projects.indexOf(project);
    const seconds = ({ moduleId }: TestSpecification) => durations[relative(root, moduleId)] ?? 1_000;
    return files.toSorted((a, b) => order(a) - order(b) || seconds(b) - seconds(a));
  }
}
