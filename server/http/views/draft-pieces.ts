// Writes drafts with their texts as JSON in pieces, because ten thousand of them are megabytes.
import type { ComponentId } from '#kernel/components/component.ts'
import type { Viewer } from '../../access/index.ts'
import { visibleDraftsByIds } from '../../pipeline/index.ts'
import type { OrgStore } from '../../ports/org-store.ts'
import { hasLongText, jsonRecord } from '../json-text.ts'

/** Drafts in one piece, which takes about a millisecond. */
const pieceSize = 50

/** Yields `{"drafts":[…]}`. A draft that no longer exists when its piece is created is omitted. */
export function* draftPieces(
  store: OrgStore,
  ids: readonly ComponentId[],
  viewer: Viewer | null,
): Iterable<string> {
  yield '{"drafts":['
  let between = ''
  for (let at = 0; at < ids.length; at += pieceSize) {
    const part = ids.slice(at, at + pieceSize)
    const rows = store.read((reader) => visibleDraftsByIds(reader, part, viewer))
    let piece = ''
    for (const row of rows) {
      piece += between
      between = ','
      if (hasLongText(row)) {
        yield piece
        yield* jsonRecord(row)
        piece = ''
      } else piece += JSON.stringify(row)
    }
    if (piece !== '') yield piece
  }
  yield ']}'
}
