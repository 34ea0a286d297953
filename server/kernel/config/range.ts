/** Half-open ranges of days: single ranges, lists of ranges, and edits of rows. See docs/reference/resolution-and-dates.md. */
export { isAdjacent, contains, intersect, isEmpty, overlaps, subtract, type Range } from './range-single.ts'
export { compareRanges, findGaps, findOverlaps, sortRanges, type Gap } from './range-list.ts'
export {
  closeGap,
  endAt,
  insertFrom,
  openEnd,
  reshapeRow,
  resolveOverlap,
  rowAt,
  splitAt,
  type RangeRow,
} from './range-rows.ts'
