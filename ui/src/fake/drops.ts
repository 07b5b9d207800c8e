// Files dropped on a page in a browser, told as the program tells them.

import type { Dropped, DroppedFile } from '../protocol';

let drops = 0;
let names: string[] = [];

export const droppedName = (drop: number, file: number): string => (drop === drops && names[file]) || 'file';

export function watchPage(tell: (files: Dropped) => void): void {
  addEventListener('dragover', (event) => {
    event.preventDefault();
    tell({ files: 'over', x: event.clientX, y: event.clientY });
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) tell({ files: 'away' });
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    drops += 1;
    const files = [...(event.dataTransfer?.files ?? [])];
    names = files.map((file) => file.name);
    const dropped = files.map(
      ({ name, size }): DroppedFile => ({ name, bytes: size, kind: name.endsWith('.apk') ? 'app' : 'file' }),
    );
    tell({ files: 'here', drop: drops, x: event.clientX, y: event.clientY, dropped });
  });
}
