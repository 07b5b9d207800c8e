// What is said of a phone’s clip.

import type { ClipState } from '../protocol';
import type { PlainKey, Sentence } from '../words/words';

/** Why it is without sound; nothing where it is with sound, or not known yet. */
export function soundText(clip: ClipState): PlainKey | null {
  if (clip.state !== 'recording' && clip.state !== 'saved') return null;
  return clip.sound === 'recorded' ? null : `clip.sound.${clip.sound}`;
}

/** What became of it; nothing while it goes on. */
export function clipText(clip: ClipState): Sentence[] | null {
  if (clip.state === 'failed') return [{ key: 'clip.failed' }, { key: `failures.${clip.failure.code}` }];
  if (clip.state !== 'saved') return null;
  const [path = ''] = clip.paths;
  const saved: Sentence =
    clip.paths.length > 1
      ? { key: 'clip.saved_parts', values: { n: clip.paths.length, folder: folderOf(path) } }
      : { key: 'clip.saved', values: { path } };
  return clip.failure ? [{ key: `failures.${clip.failure.code}` }, saved] : [saved];
}

/** A file’s folder, as its own system writes it. */
const folderOf = (path: string): string => path.replace(/[\\/][^\\/]*$/, '');
