// The sentences of a task step by step, now and in the past. Those pages import this first.

import words from '../../words/en.json?task';
import { addWords } from './words';

addWords(words);
