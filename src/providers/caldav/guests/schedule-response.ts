import { badAnswer, tooMuchData } from '../../rest/network-failures.ts';
import { childNamed, hrefsIn, parse, type XmlAnswer } from '../xml.ts';

/** The answer of a scheduling outbox for one recipient. */
export interface ScheduleAnswer {
  /** `mailto:ben@example.com` */
  recipient: string;
  /** `2.0;Success` */
  status: string;
  calendarData: string;
}

/** Recipients of one question. */
const mostRecipients = 1_000;

/**
 * The answer of a scheduling outbox. Errors: as `readMultistatus`, `BAD_ANSWER` for any other document.
 * Source: RFC 6638 10.2 and 10.3.
 */
export async function readScheduleResponse(answer: XmlAnswer): Promise<ScheduleAnswer[]> {
  const answers: ScheduleAnswer[] = [];
  await parse(
    answer,
    (depth, node) => {
      if (depth === 1 && node.name !== 'c:schedule-response') throw badAnswer("it isn't a scheduling response");
      return depth === 2;
    },
    (node) => {
      if (node.name !== 'c:response') return;
      if (answers.length === mostRecipients) throw tooMuchData(new URL(answer.url).host);
      answers.push({
        recipient: hrefsIn(childNamed(node, 'c:recipient'))[0] ?? '',
        status: childNamed(node, 'c:request-status')?.text.trim() ?? '',
        calendarData: childNamed(node, 'c:calendar-data')?.text ?? '',
      });
    },
  );
  return answers;
}
