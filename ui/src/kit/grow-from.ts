// One element takes the place of another and grows out of it.
//
// By hand and not by a view transition: with its DMABUF renderer off (no GPU, remote displays, tests) WebKitGTK 2.50
// ends the whole program at `document.startViewTransition`.

const TIME = 320;
const CURVE = 'cubic-bezier(0.2, 0.8, 0.2, 1)';

/** Moves `element` from where `from` was to where it is. */
export function grow(element: HTMLElement, from: DOMRect): void {
  const to = element.getBoundingClientRect();
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || to.width === 0 || from.width === 0) return;
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  const scale = from.height / to.height;
  element.animate([{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: 'none' }], {
    duration: TIME,
    easing: CURVE,
  });
}
