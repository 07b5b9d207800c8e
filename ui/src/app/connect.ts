// Which backend: the program this window belongs to; in a plain browser (never in the app's build) the fake.

import { tauri, type Backend } from '../backend';
import { Clock } from '../kit/clock.svelte';

export async function connect(): Promise<{ backend: Backend; clock: Clock }> {
  if (import.meta.env.MODE !== 'production' && !('__TAURI_INTERNALS__' in window)) {
    const { openScene } = await import('../fake/fake-backend');
    const wanted = new URLSearchParams(location.search);
    const { speakForTests } = await import('../fake/test-languages');
    await speakForTests(wanted.get('lang') ?? '');
    return openScene(wanted);
  }
  return { backend: tauri, clock: new Clock() };
}
