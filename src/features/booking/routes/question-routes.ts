import { bindRoutes } from '#platform/routes.ts';
import { answerQuestion } from '../answer-question.ts';
import { listQuestions } from '../list-questions.ts';
import { questionEndpoints } from '../rules/question-endpoints.ts';

export const questionRoutes = bindRoutes(questionEndpoints, {
  listQuestions: async ({ app, actor }) => ({ questions: await listQuestions(app, actor.userId) }),
  answerQuestion: async ({ app, actor, input: { params, body } }) => {
    await answerQuestion(app, actor, params.booking_id, body);
    return { questions: await listQuestions(app, actor.userId) };
  },
});
