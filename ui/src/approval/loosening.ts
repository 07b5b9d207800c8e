// A change of the settings that loosens something: what is asked, what it means, and what a yes is called. Pure.

import '../words/change-words';
import type { Loosening, Rule } from '../protocol';
import type { Sentence } from '../words/words';

export interface Loosened {
  question: Sentence;
  body: Sentence;
  yes: Sentence;
  /** A path, an address or a button's own words, letter for letter. */
  about: string | null;
}

export function loosened(change: Loosening): Loosened {
  switch (change.what) {
    case 'level': {
      const to = change.to === 'hard_stops' ? 'hard_stops' : 'when_it_matters';
      return one(`confirm.level.${to}.question`, `confirm.level.${to}.body`, `confirm.level.${to}.yes`);
    }
    case 'switch':
      return one(`confirm.switch.${change.off}.question`, `confirm.switch.${change.off}.body`, 'confirm.switch_yes');
    case 'program':
    case 'adb':
      return { ...plain(change.what), about: change.path };
    case 'server':
      return { ...plain(change.what), about: change.address };
    case 'allow':
    case 'permit':
    case 'ask_less':
      return { ...plain(change.what), about: named(change.rule) };
    case 'scripts':
      return plain(change.what);
  }
}

const one = (question: Sentence['key'], body: Sentence['key'], yes: Sentence['key']): Loosened => ({
  question: { key: question },
  body: { key: body },
  yes: { key: yes },
  about: null,
});

const plain = (what: Exclude<Loosening['what'], 'level' | 'switch'>): Loosened =>
  one(`confirm.${what}.question`, `confirm.${what}.body`, `confirm.${what}.yes`);

const named = ({ element, app, appLabel }: Rule): string =>
  [element?.label ?? '', appLabel || (app ?? '')].filter((text) => text !== '').join(' · ');
