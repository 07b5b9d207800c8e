// Renders the window of questions, as a person meets it.

import { fireEvent, render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { vi } from 'vitest';
import Approval from '../src/approval/Approval.svelte';
import { Clock } from '../src/kit/clock.svelte';
import type { Ask, OpenAsks } from '../src/protocol';
import { NOW, stubBackend, type Stub } from './harness';

/** The person moves the pointer: trusted, and from one place to another. */
export function move(): void {
  for (const x of [10, 40]) {
    const event = new PointerEvent('pointermove', { screenX: x, screenY: 10, bubbles: true } as PointerEventInit);
    Object.defineProperty(event, 'isTrusted', { value: true });
    Object.defineProperty(event, 'screenX', { value: x });
    window.dispatchEvent(event);
  }
}

export async function type(input: HTMLElement, value: string): Promise<void> {
  (input as HTMLInputElement).value = value;
  const event = new Event('input', { bubbles: true });
  Object.defineProperty(event, 'isTrusted', { value: true });
  input.dispatchEvent(event);
  await tick();
}

export const press = (key: string, more: object = {}): Promise<boolean> =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more }) as unknown as Promise<boolean>;

export interface RenderedApproval {
  backend: Stub;
  tell: (open: OpenAsks) => Promise<void>;
  clock: Clock;
}

/** `answers`: how the backend answers. */
export async function renderApproval(
  ask: Ask,
  more: Partial<OpenAsks> = {},
  now = NOW,
  answers: (backend: Stub) => void = () => undefined,
): Promise<RenderedApproval> {
  const backend = stubBackend();
  answers(backend);
  const clock = new Clock(() => now);
  render(Approval, { backend, clock });
  await tick();
  const tell = async (open: OpenAsks): Promise<void> => {
    backend.asks(open);
    await tick();
    if (open.changes) await vi.dynamicImportSettled();
    await tick();
  };
  await tell({ asks: [ask], ...more });
  return { backend, tell, clock };
}

export const awake = async (): Promise<void> => {
  move();
  vi.advanceTimersByTime(800);
  await tick();
};
