import type { WorkLimitError, WorkLimits } from '#kernel/work-budget.ts';

/** A guest compares their calendar with the offered times: anybody may ask, and the answer covers two months. */
export const comparisonLimits: WorkLimits = {
  bytes: 4 * 1024 * 1024,
  steps: 20_000,
  instances: 20_000,
  milliseconds: 1_500,
};

/** One reading of one calendar. `instances` is also the most rows that one calendar has in the busy index. */
export const readingLimits: WorkLimits = {
  bytes: 100 * 1024 * 1024,
  steps: 400_000,
  instances: 100_000,
  milliseconds: 20_000,
};

/** Finding the calendars of an account: a person waits, and several addresses may be tried. No event is read. */
export const discoveryLimits: WorkLimits = { bytes: 10_000_000, steps: 0, instances: 0, milliseconds: 3_000 };

/** The most text of one answer that multiplies rows by texts. 10,000 events with short texts have room in it. */
export const mostAnswerBytes = 8 * 1024 * 1024;

/** The most stored events that are read for one answer. */
export const mostStoredBytes = 32 * 1024 * 1024;

/** One answer with events: series that are expanded for it, because their instances are not kept ready, and its text. */
export const viewLimits: WorkLimits = {
  bytes: mostAnswerBytes,
  steps: 200_000,
  instances: 20_000,
  milliseconds: 5_000,
};

/** Rows of one person in the busy index, over all their calendars. */
export const mostInstancesOfPerson = 300_000;

/** A refusal in words: the limit that was met. */
export function describeWorkLimit({ limit, allowed }: WorkLimitError): string {
  switch (limit) {
    case 'bytes':
      return `This calendar is larger than ${Math.round(allowed / 1024 / 1024)} MB.`;
    case 'steps':
      return `The repeating events of this calendar are too complex (more than ${allowed} steps).`;
    case 'instances':
      if (allowed === mostInstancesOfPerson) {
        return `Your calendars together have more than ${allowed} events in the time that is read.`;
      }
      return `This calendar has more than ${allowed} events in the synced period.`;
    case 'milliseconds':
      return `This calendar takes more than ${allowed / 1000} seconds to read.`;
  }
}
