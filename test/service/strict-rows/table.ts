import { BEHIND_ROWS } from './behind.ts';
import { CHUNK_ROWS } from './chunks.ts';
import { EXPECT_ROWS } from './expectations.ts';
import { FRAMING_ROWS } from './framing.ts';
import { NAME_ROWS } from './header-names.ts';
import { VALUE_ROWS } from './header-values.ts';
import { HOST_ROWS } from './hosts.ts';
import { LARGE_ROWS } from './large.ts';
import { LENGTH_ROWS } from './lengths.ts';
import { LINE_ROWS } from './lines.ts';
import { METHOD_ROWS } from './methods.ts';
import { REPEAT_ROWS } from './repeats.ts';
import type { StrictRow } from './row.ts';
import { TARGET_ROWS } from './targets.ts';
import { TRAILER_ROWS } from './trailers.ts';
import { VERSION_ROWS } from './versions.ts';

/** Above 16 KiB in pieces the parser gives up before a long target can be distinguished from long headers. */
function ambiguousInPieces(row: StrictRow): StrictRow {
  return row.bytes.length > 16_384 ? { ...row, inPieces: ['bad_request', 'headers_too_large'] } : row;
}

/** Every request that must be refused, by family. */
export const STRICT_ROWS: readonly StrictRow[] = [
  ...VERSION_ROWS,
  ...HOST_ROWS,
  ...FRAMING_ROWS,
  ...LENGTH_ROWS,
  ...NAME_ROWS,
  ...VALUE_ROWS,
  ...LINE_ROWS,
  ...REPEAT_ROWS,
  ...METHOD_ROWS,
  ...TARGET_ROWS,
  ...CHUNK_ROWS,
  ...TRAILER_ROWS,
  ...LARGE_ROWS,
  ...EXPECT_ROWS,
  ...BEHIND_ROWS,
].map(ambiguousInPieces);
