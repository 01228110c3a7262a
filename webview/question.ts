// Comes first: tables of texts are made while their modules load.
import './loadTexts.ts';
import { RavelProposal } from './question/proposalTree.ts';
import { RavelQuestionPage } from './question/questionPage.ts';
import { RavelQuestion } from './session/questionCard.ts';
import { startPage } from './startPage.ts';

startPage(RavelQuestionPage, {
  'ravel-proposal': RavelProposal,
  'ravel-question': RavelQuestion,
  'ravel-question-page': RavelQuestionPage,
});
