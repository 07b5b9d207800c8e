// The sentences of past tasks. The page of them and large pictures of steps import this first.

import words from '../../words/en.json?history';
import { learn } from './words';

learn(words);
