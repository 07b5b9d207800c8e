// The sentences of automations. Those pages import this first.

import words from '../../words/en.json?automations';
import { addWords } from './words';

addWords(words);
