// Which backend: the program this window belongs to; in a plain browser, and where a scene is named (never in the app's build),
// the fake.

import { tauri, type Backend } from '../backend';
import { Clock } from '../kit/clock.svelte';

export async function connect(): Promise<{ backend: Backend; clock: Clock }> {
  const wanted = new URLSearchParams(location.search);
  if (import.meta.env.MODE !== 'production' && (wanted.has('scene') || !('__TAURI_INTERNALS__' in window))) {
    const { openScene } = await import('../fake/fake-backend');
    const { speakForTests } = await import('../fake/test-languages');
    await speakForTests(wanted.get('lang') ?? '');
    return openScene(wanted);
  }
  return { backend: tauri, clock: new Clock() };
}
