// Each file a window begins with is one more question to the program before anything is drawn. So they are few: what both windows
// begin with, what only the main one does, what only the window of questions does, and of that what pages of the main one read later.

import { fileURLToPath } from 'node:url';
import { normalizePath, type Rolldown } from 'vite';

type Graph = Rolldown.ChunkingContext;

/** As the graph names it, on Windows too. */
const module = (path: string): string => normalizePath(fileURLToPath(new URL(path, import.meta.url)));
const WINDOW = module('src/app/main.ts');
const QUESTIONS = module('src/app/approval-main.ts');

/** All that is read with this module, at once or, where `later` says so, ever. */
function reached(graph: Graph, entry: string, later = false): Set<string> {
  const all = new Set([entry]);
  for (const id of all) {
    const found = graph.getModuleInfo(id);
    for (const one of found?.importedIds ?? []) all.add(one);
    if (later) for (const one of found?.dynamicallyImportedIds ?? []) all.add(one);
  }
  return all;
}

/** Each before those that need it, which would take it in. */
const SCRIPTS = ['both', 'pieces', 'window', 'questions'] as const;

/** The script a module is put into; null: one of its own, or one with others that are read when they are wanted. */
function scriptOf(): (id: string, graph: Graph) => (typeof SCRIPTS)[number] | null {
  let sets: Record<'window' | 'windowEver' | 'questions' | 'questionsEver', Set<string>> | undefined;
  return (id, graph) => {
    sets ??= {
      window: reached(graph, WINDOW),
      windowEver: reached(graph, WINDOW, true),
      questions: reached(graph, QUESTIONS),
      questionsEver: reached(graph, QUESTIONS, true),
    };
    // What begins a window waits for others in it, and so has to stand alone.
    if (id === WINDOW || id === QUESTIONS) return null;
    if (sets.window.has(id)) return sets.questionsEver.has(id) ? 'both' : 'window';
    if (!sets.questions.has(id)) return null;
    return sets.windowEver.has(id) ? 'pieces' : 'questions';
  };
}

export function firstScripts(): Rolldown.OutputOptions {
  const script = scriptOf();
  const groups = SCRIPTS.map((name, at) => ({
    name: (id: string, graph: Graph) => (script(id, graph) === name ? name : null),
    priority: SCRIPTS.length - at,
  }));
  return { codeSplitting: { groups } };
}
