// The sentences of the pages that are read when they are opened. Those pages import this first.

import words from '../../words/en.json?later';
import { learn } from './words';

learn(words);
