// What happy-dom has not: just enough for components to mount. Read anew for every file of tests: they share one window and one copy
// of each module, for reading all of those again for each file cost more than a third of the time. What a file left is cleared here.

import { vi } from 'vitest';
import '../src/words/automation-words';
import '../src/words/change-words';
import '../src/words/lazy-words';
import '../src/words/task-words';
import '../src/approval/ChangeWindow.svelte';
import '../src/phone/Deliveries.svelte';
import '../src/phone/video';
import { language } from '../src/words/language.svelte';
import CSSPropertyManager from 'happy-dom/lib/css/declaration/property-manager/CSSPropertyManager.js';
import fc from 'fast-check';

vi.useRealTimers();
vi.unstubAllGlobals();
document.body.replaceChildren();
document.title = '';
localStorage.clear();
location.hash = '';
language.fix('en-US', null, 'ltr', false);

// Properties draw the same cases each time, so that no run fails by luck; another seed draws others.
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) });

class Watcher {
  constructor(readonly tell: (entries: { isIntersecting: boolean; target: Element }[]) => void) {}
  observe(target: Element): void {
    this.tell([{ isIntersecting: true, target }]);
  }
  unobserve(): void {}
  disconnect(): void {}
}

vi.stubGlobal('IntersectionObserver', Watcher);
vi.stubGlobal('createImageBitmap', async () => ({ width: 1080, height: 2400, close() {} }));
HTMLCanvasElement.prototype.getContext = (() => ({ drawImage() {} })) as never;
URL.createObjectURL = () => 'blob:picture';
URL.revokeObjectURL = () => undefined;
HTMLElement.prototype.setPointerCapture = () => undefined;

// happy-dom copies what an element inherits once for each of its ancestors, and by `structuredClone`. It is flat records by name: copied as
// such, axe takes a quarter less.
CSSPropertyManager.prototype.clone = function (): CSSPropertyManager {
  const clone = new CSSPropertyManager();
  clone.properties = Object.fromEntries(Object.entries(this.properties).map(([name, of]) => [name, { ...of }]));
  clone['definedPropertyNames'] = { ...this['definedPropertyNames'] };
  return clone;
};
