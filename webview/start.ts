// Comes first: tables of texts are made while their modules load.
import './loadTexts.ts';
import { RavelStart } from './start/startView.ts';
import { startPage } from './startPage.ts';

startPage(RavelStart, { 'ravel-start': RavelStart });
