// The sentences of past tasks. The page of them and large pictures of steps import this first.

import words from '../../words/en.json?history';
import { addWords } from './words';

addWords(words);
