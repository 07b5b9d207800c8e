// Stored pictures.

import type { Backend } from '../backend';
import type { Bounds, FrameId } from '../protocol';
import { keptUrl } from './kept-urls';

/** The address of a stored picture, or of a part of it. Rejected when the picture is gone. */
export const pictureUrl = (
  backend: Pick<Backend, 'picture'>,
  frame: FrameId,
  longestSide: number | null,
  crop: Bounds | null,
): Promise<string> =>
  keptUrl(backend, [frame, longestSide, crop], 'image/jpeg', () => backend.picture(frame, longestSide, crop));
