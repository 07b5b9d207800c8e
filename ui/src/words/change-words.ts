// The sentences of a setting that would loosen something. Only the window that asks about it knows them.

import words from '../../words/en.json?change';
import { addWords } from './words';

addWords(words);
