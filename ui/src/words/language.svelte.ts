// Which language the window speaks: the system's, or the one the person chose. A change is drawn at once, without a restart.
// English is what the window begins with; any other is read when it is spoken.

import type { Language as Choice } from '../protocol';

/** A language with sentences of its own in `words/`. */
type Spoken = Exclude<Choice, 'system'>;

const OTHERS: Record<Exclude<Spoken, 'en'>, () => Promise<{ default: object }>> = {
  zh: () => import('../../words/zh.json?all'),
};

/** Where the choice is kept for the next start, which comes before the settings are read, and for the other window. */
const KEPT = 'language';

class SpokenLanguage {
  /** What `lang` says, and what dates, amounts and plurals follow: a BCP 47 tag. */
  tag = $state.raw(tagOf('en'));
  /** The sentences; null: English, as the window began. */
  sentences: object | null = $state.raw(null);
  /** A language for tests only is spoken, whatever is chosen. */
  #isFixed = false;
  #newest = 0;

  /** Speaks what was chosen last time, and follows what another window chooses. Before anything is drawn. */
  async begin(): Promise<void> {
    addEventListener('storage', (event) => {
      if (event.key === KEPT) void this.#speak(isChoice(event.newValue) ? event.newValue : 'system');
    });
    await this.#speak(kept());
  }

  /** Speaks what the settings say, and keeps it for the next start. */
  async follow(choice: Choice): Promise<void> {
    if (this.#isFixed) return;
    try {
      localStorage.setItem(KEPT, choice);
    } catch {
      // Where nothing can be kept, the next start begins in the system's language.
    }
    await this.#speak(choice);
  }

  /** For tests: these sentences from now on, whatever is chosen, or until something is. */
  fix(tag: string, sentences: object | null, dir: 'ltr' | 'rtl' = 'ltr', isFixed = true): void {
    this.#isFixed = isFixed;
    // What is still being read for somebody who is gone is not spoken.
    this.#newest += 1;
    this.#use(tag, sentences, dir);
  }

  async #speak(choice: Choice): Promise<void> {
    if (this.#isFixed) return;
    const turn = (this.#newest += 1);
    const spoken = spokenIn(choice);
    const sentences = spoken === 'en' ? null : (await OTHERS[spoken]()).default;
    // Another was chosen while this one was read.
    if (turn === this.#newest) this.#use(tagOf(spoken), sentences, 'ltr');
  }

  #use(tag: string, sentences: object | null, dir: 'ltr' | 'rtl'): void {
    this.tag = tag;
    this.sentences = sentences;
    document.documentElement.lang = tag;
    document.documentElement.dir = dir;
  }
}

const isSpoken = (name: string): name is Spoken => name === 'en' || Object.hasOwn(OTHERS, name);
const isChoice = (name: string | null): name is Choice => name !== null && (name === 'system' || isSpoken(name));

function kept(): Choice {
  try {
    const found = localStorage.getItem(KEPT);
    return isChoice(found) ? found : 'system';
  } catch {
    return 'system';
  }
}

/** The first of the system's languages that has sentences; English where none has. */
function ofSystem(): Spoken {
  const names = navigator.languages.map((tag) => tag.split('-')[0]?.toLowerCase() ?? '');
  return names.find(isSpoken) ?? 'en';
}

const spokenIn = (choice: Choice): Spoken => (choice === 'system' ? ofSystem() : choice);

/** Sentences are in simplified characters, and so are dates; English ones are written as the system's own English. */
function tagOf(spoken: Spoken): string {
  if (spoken === 'zh') return 'zh-CN';
  // The POSIX form, of systems that name no language, would write `$ 0.42`.
  return navigator.languages.find((tag) => /^en-[a-z]{2}$/i.test(tag)) ?? 'en-US';
}

export const language = new SpokenLanguage();

// What will be spoken is asked for now, beside the scripts that are still on their way.
const first = spokenIn(kept());
if (first !== 'en') OTHERS[first]().catch(() => undefined);
