// Comes first: tables of texts are made while their modules load.
import './loadTexts.ts';
import { RavelChart } from './charts.ts';
import { RavelDecisions } from './routing/decisions.ts';
import { RavelRouting } from './routing/routingPage.ts';
import { RavelSuggestion } from './routing/suggestionCard.ts';
import { startPage } from './startPage.ts';

startPage(RavelRouting, {
  'ravel-chart': RavelChart,
  'ravel-decisions': RavelDecisions,
  'ravel-routing': RavelRouting,
  'ravel-suggestion': RavelSuggestion,
});
