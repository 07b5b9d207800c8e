/** Put into a field whole, by the clipboard or a drag. */
const PASTED = ['insertFromPaste', 'insertFromDrop'];

/** This `input` event put something in whole. */
export const isPasted = (event: Event): boolean => event instanceof InputEvent && PASTED.includes(event.inputType);
