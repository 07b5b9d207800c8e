// A phone's page, as a person meets it.

import { render } from '@testing-library/svelte';
import { tick } from 'svelte';
import Phone from '../src/app/PhonePage.svelte';
import type { News } from '../src/protocol';
import { fold } from '../src/state/view';
import { NOW, pictureMessage, settle, stubDesk } from './stage';

/** The page of a phone, as a transcript left it. */
export async function open(
  name: string,
  id: string,
  picture: [number, number] = [1080, 2400],
): Promise<ReturnType<typeof stubDesk>> {
  const stage = stubDesk(name);
  stage.backend.mirrorStart.mockImplementation(async (_phone, _aim, _video, tell) => {
    setTimeout(() => tell(pictureMessage(...picture)));
    return 1;
  });
  stage.app.route = { page: 'phone', phone: id };
  render(Phone, { props: { id }, context: stage.context });
  await settle();
  await settle();
  return stage;
}

/** One more event of its task. */
export const tell = async (stage: ReturnType<typeof stubDesk>, what: object, phone = 'mum'): Promise<void> => {
  const run = Object.values(stage.app.view.runs).find((one) => one.phone === phone);
  const event = { run: run?.run, phone, seq: (run?.seq ?? 0) + 1, at: NOW, ...what };
  stage.app.view = fold(stage.app.view, { news: 'run', event } as News);
  await tick();
};
