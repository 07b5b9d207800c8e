// Renders a phone's page, as a person meets it.

import { render } from '@testing-library/svelte';
import { tick } from 'svelte';
import Phone from '../src/app/PhonePage.svelte';
import type { News } from '../src/protocol';
import { fold } from '../src/state/view';
import { NOW, pictureMessage, settle, stubApp } from './harness';

/** The page of a phone, as a transcript left it. */
export async function renderPhonePage(
  name: string,
  id: string,
  picture: [number, number] = [1080, 2400],
): Promise<ReturnType<typeof stubApp>> {
  const harness = stubApp(name);
  harness.backend.mirrorStart.mockImplementation(async (_phone, _aim, _video, tell) => {
    setTimeout(() => tell(pictureMessage(...picture)));
    return 1;
  });
  harness.app.route = { page: 'phone', phone: id };
  render(Phone, { props: { id }, context: harness.context });
  await settle();
  await settle();
  return harness;
}

/** One more event of its task. */
export const tell = async (harness: ReturnType<typeof stubApp>, what: object, phone = 'mum'): Promise<void> => {
  const run = Object.values(harness.app.view.runs).find((one) => one.phone === phone);
  const event = { run: run?.run, phone, seq: (run?.seq ?? 0) + 1, at: NOW, ...what };
  harness.app.view = fold(harness.app.view, { news: 'run', event } as News);
  await tick();
};
