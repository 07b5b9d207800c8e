// Troubles that one button mends.

import type { FailureCode } from '../protocol';

/** A program fetched from its maker is what helps. */
export const PROGRAM_TROUBLES: FailureCode[] = ['adb_missing', 'adb_too_old'];
