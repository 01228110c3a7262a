import { RavelQuestionPage } from './question/questionPage.ts';
import { RavelQuestion } from './session/questionCard.ts';
import { startPage } from './startPage.ts';

startPage(RavelQuestionPage, {
  'ravel-question': RavelQuestion,
  'ravel-question-page': RavelQuestionPage,
});
