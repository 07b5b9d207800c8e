// The sentences of the pages that are read when they are opened. Those pages import this first.

import words from '../../words/en.json?later';
import { addWords } from './words';

addWords(words);
