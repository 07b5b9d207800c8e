/** Every state has its own shape, not only a colour. */
export type Shape = 'ready' | 'working' | 'needs' | 'paused' | 'yours' | 'stopped' | 'offline' | 'connecting';
