// The sentences of the check of a phone. It imports this first.

import words from '../../words/en.json?check';
import { addWords } from './words';

addWords(words);
